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

/** Agrees to these changes for the person who runs this command: through the daemon where one runs, which asks who that is. */
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
 * Writes to the settings or rules what the person who runs this command wants, and agrees to it for them. What waited in
 * the same file before goes on waiting, and with it what is written: then it gives the line that says so.
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
