import type { StreamInfo } from '@nats-io/jetstream';
import type { Cursor, CursorFile } from './cursor.ts';

/*
 * A server can confirm a record and die, and the next leader may not have it (seen with nats-server 2.9.10 and 2.10.7
 * in a cluster of three). So a confirmed record counts as settled only once the same server has led the stream for a
 * while. After any error before that, the outbox reads the stream from the settled position and sends the missing
 * records again.
 */
interface Settled {
  /** Everything up to this cursor stays in the stream; null if unknown. */
  readonly cursor: Cursor | null;
  /** Restarts at the settled position, with the current leader. */
  begin(from: Cursor, leader: string | null): void;
  /** True if confirmed records may be missing from the stream. Queries the server now and then. */
  isInDoubt(confirmed: Cursor, ask: () => Promise<StreamState>): Promise<boolean>;
}

export type StreamState = Pick<StreamInfo, 'cluster' | 'state'>;

/** Longer than a cluster takes to detect a lost leader and elect another. */
const SETTLE_MS = 60_000;
const ASK_MS = 15_000;

export const leaderOf = ({ cluster }: Pick<StreamState, 'cluster'>): string | null => cluster?.leader ?? null;

export function openSettled(file: CursorFile, now: () => number = () => performance.now()): Settled {
  let settled = file.read();
  let leader: string | null = null;
  let candidate: { readonly cursor: Cursor; readonly at: number } | null = null;
  let asked = now();

  function settle(): void {
    if (candidate === null || candidate.cursor === settled) return;
    settled = candidate.cursor;
    file.write(settled);
  }

  return {
    get cursor() {
      return settled;
    },
    begin(from, leading) {
      candidate = { cursor: from, at: now() };
      leader = leading;
    },
    async isInDoubt(confirmed, ask) {
      if (confirmed === settled || now() - asked < ASK_MS) return false;
      asked = now();
      const stream = await ask();
      if (leaderOf(stream) !== leader || stream.state.last_seq < confirmed.sequence) return true;
      if (candidate !== null && now() - candidate.at < SETTLE_MS) return false;
      settle();
      candidate = { cursor: confirmed, at: now() };
      return false;
    },
  };
}
