import { type Confirmed, openConfirmed } from '../home/confirmed/confirmed.ts';
import {
  confirmedText,
  confirmSeen,
  newIn,
  type PendingChange,
  pendingChanges,
  pendingLine,
  seenOf,
} from '../home/confirmed/pending.ts';
import type { HomePaths } from '../home/paths.ts';
import { machineSigner } from '../store/chain/machine-key.ts';
import { connect } from './client.ts';
import { recordChange } from './record-change.ts';

/**
 * Confirms these changes for the person who runs this command. Goes through the daemon if one runs, which checks who
 * that is.
 */
export async function confirmChanges(
  paths: HomePaths,
  by: string,
  changes: readonly PendingChange[],
): Promise<void> {
  const client = await connect(paths);
  if (client) {
    await client.post('/api/confirm', { seen: seenOf(changes) });
    return;
  }
  confirmSeen(paths, openToWrite(paths), seenOf(changes));
  await recordChange(paths, 'rules', by, confirmedText(changes));
}

/**
 * Writes a change to settings or rules for the person who runs this command, and confirms it. If the same file
 * already has a pending change, that stays pending together with the new one, and the line about it is returned.
 */
export async function changeAsPerson(
  paths: HomePaths,
  by: string,
  change: () => void,
): Promise<string | null> {
  const waiting = () => pendingChanges(paths, openConfirmed(paths));
  const before = waiting();
  change();
  const own = before.lost ? [] : newIn(before, waiting());
  if (own.length > 0) await confirmChanges(paths, by, own);
  return pendingLine(paths);
}

function openToWrite(paths: HomePaths): Confirmed {
  const raise = (error: unknown) => {
    throw error;
  };
  return openConfirmed(paths, { signer: machineSigner(paths, () => {}), weakened: () => {}, failed: raise });
}
