import type { StreamInfo } from '@nats-io/jetstream';
import type { Cursor, CursorFile } from './cursor.ts';

/*
 * A server confirms a record, dies, and the one that leads after it may not have the record: seen with nats-server 2.9.10 and
 * 2.10.7 in a cluster of three. So what is confirmed is settled only when the same server has led the stream for a while since.
 * Whatever goes wrong before that, the outbox reads from the settled place on what the stream has, and sends the rest again.
 */
interface Settled {
  /** Everything up to here stays in the stream; null where nothing is known. */
  readonly cursor: Cursor | null;
  /** Begins again at the settled place, with the server that leads now. */
  begin(from: Cursor, leader: string | null): void;
  /** True where confirmed records may be missing from the stream. Asks the server now and then. */
  isInDoubt(confirmed: Cursor, ask: () => Promise<StreamState>): Promise<boolean>;
}

export type StreamState = Pick<StreamInfo, 'cluster' | 'state'>;

/** Longer than a cluster takes to notice that its leader is gone, and to elect another one. */
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
