import { setImmediate as letOthersRun } from 'node:timers/promises';
import { gapText } from '../../store/chain/chain.ts';
import type { FleetContext } from '../part.ts';
import type { LocalRecord } from './local-record.ts';
import { type AuditMessage, noteMessage, safeId } from './message.ts';

/** Why links are not in the stream: the machine was not in the fleet when it recorded them. */
export const NOT_IN_FLEET = 'kept';

/** Number of records read at once, backwards. */
const STEP = 64;

interface UnsentGap {
  /** The last link in the stream from before. */
  readonly sentTo: number;
  readonly message: AuditMessage;
}

/**
 * A machine that left and joined again keeps what it recorded in between. It signs a gap, so that the records don't
 * count as removed. Null if the stream has nothing from before, or already has the gap.
 * @param present all IDs of this machine in the stream
 */
export async function unsentGap(
  { home, machine, names, settings }: FleetContext,
  record: LocalRecord,
  present: ReadonlySet<string>,
): Promise<UnsentGap | null> {
  const last = settings.after;
  if (last === 0 || present.size === 0) return null;
  const sentTo = await lastSent(record, last, present);
  const hash = record.hashAt(last);
  if (sentTo === 0 || sentTo === last || hash === null) return null;
  const first = sentTo + 1;
  // A different time would make it another message with the same content.
  if ([...present].some((id) => id.startsWith(`${machine.id}-gap-${first}-${last}-`))) return null;
  const gap = { first, last, hash, reason: NOT_IN_FLEET, at: Date.now() };
  const signature = home.signer.sign(gapText(gap));
  return { sentTo, message: noteMessage({ kind: 'gap', ...gap, signature }, machine, names) };
}

async function lastSent(record: LocalRecord, upTo: number, present: ReadonlySet<string>): Promise<number> {
  for (let end = upTo; end > 0; end -= STEP) {
    const from = Math.max(0, end - STEP);
    const found = record
      .after({ link: from, hash: '' }, end - from)
      .findLast(({ link, values: [id] }) => link <= end && present.has(safeId(String(id))));
    if (found) return found.link;
    await letOthersRun();
  }
  return 0;
}
