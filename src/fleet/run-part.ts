import { messageOf } from '../model/errors.ts';
import type { Log } from '../model/log.ts';
import { type FleetSession, waitFor } from './connection.ts';
import type { FleetPart } from './part.ts';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;

/** A part that is called again after what went wrong. */
export interface RunningPart {
  readonly part: FleetPart;
  /** What went wrong last; null while it works. */
  problem(): string | null;
  run(session: FleetSession): Promise<void>;
}

export function runPart(part: FleetPart, log: Log): RunningPart {
  let problem: string | null = null;
  return {
    part,
    problem: () => problem,
    async run(session) {
      for (let waitMs = FIRST_WAIT_MS; !session.signal.aborted; ) {
        const began = Date.now();
        try {
          await part.run(session);
          problem = null;
        } catch (error) {
          // What breaks with the connection is not the part's own.
          if (session.signal.aborted) return;
          const why = messageOf(error);
          if (why !== problem) log('warning', `fleet: ${part.name}: ${why}`);
          problem = why;
        }
        if (Date.now() - began > LONGEST_WAIT_MS) waitMs = FIRST_WAIT_MS;
        await waitFor(waitMs * (0.5 + Math.random() / 2), session.signal);
        waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
      }
    },
  };
}
