import { messageOf } from '../../model/errors.ts';
import { waitFor } from '../../platform/wait.ts';
import type { FleetSession } from '../server/connection.ts';
import type { TeamNames } from '../subjects.ts';
import { createRecentEvents, type RecentEvents } from './feed-window.ts';
import { createKnownMachines, followMachines, type KnownMachines } from './follow-machines.ts';
import { followEvents } from './recent-events.ts';

/** State of the fleet while a view is open. */
export interface FleetState {
  readonly machines: KnownMachines;
  readonly recent: RecentEvents;
  /** Why the data is missing. */
  readonly problems: { machines: string | null; events: string | null };
  /** Skipped messages, and messages that aren't valid records. */
  readonly missed: { skipped: number; leftOut: number };
}

const MOST_EVENTS = 500;
const RETRY_MS = 5_000;

export function emptyFleetState(): FleetState {
  return {
    machines: createKnownMachines(),
    recent: createRecentEvents(MOST_EVENTS),
    problems: { machines: null, events: null },
    missed: { skipped: 0, leftOut: 0 },
  };
}

/** Follows the server until the signal. Errors are reported and retried. */
export async function followFleet(
  session: Pick<FleetSession, 'js' | 'jsm' | 'signal'>,
  names: TeamNames,
  state: FleetState,
  signal: AbortSignal,
): Promise<void> {
  const { machines, recent, missed } = state;
  const hearing = (opened: () => void) => ({
    opened,
    after: recent.last(),
    last: MOST_EVENTS,
    hear: recent.add,
    skipped: (count: number) => {
      missed.skipped += count;
    },
    leftOut: () => {
      missed.leftOut += 1;
    },
  });
  const follow = async (what: keyof FleetState['problems'], work: (opened: () => void) => Promise<void>) => {
    while (!signal.aborted) {
      await work(() => {
        state.problems[what] = null;
      }).catch((error: unknown) => {
        if (!signal.aborted) state.problems[what] = messageOf(error);
      });
      await waitFor(RETRY_MS, signal);
    }
  };
  await Promise.all([
    follow('machines', (opened) => followMachines(session, names, machines, signal, opened)),
    follow('events', (opened) => followEvents(session, names, hearing(opened), signal)),
  ]);
}
