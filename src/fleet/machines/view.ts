import type { FleetContext, FleetPart, OpenPart } from '../part.ts';
import { type FleetSession, notConnected } from '../server/connection.ts';
import { notJoined } from '../settings.ts';
import type { FleetCounts } from './feed-window.ts';
import { emptyFleetState, type FleetState, followFleet } from './follow-fleet.ts';
import { type NamedFleetEvent, withMachineName } from './follow-machines.ts';
import type { ReportedMachine } from './report.ts';
import { type FleetQuery, type FoundInStream, searchStream } from './search-stream.ts';
import { createViewActivity, type ViewActivity } from './view-activity.ts';

/** The machines of the fleet and the agents that they guard. */
export interface FleetMachines {
  readonly team: string;
  /** The id of this machine. */
  readonly self: string;
  readonly connected: boolean;
  /** Why the machines aren't known. */
  readonly problem: string | null;
  /** Sorted by name; limited if there are very many. */
  readonly machines: readonly ReportedMachine[];
  readonly total: number;
}

/** Activity in the fleet. */
export interface FleetFeed {
  readonly connected: boolean;
  readonly problem: string | null;
  /** Events after the requested position, oldest first. */
  readonly events: readonly NamedFleetEvent[];
  /** The position to continue from. */
  readonly last: number;
  /** Number of events kept here, to which `counts` refers. */
  readonly kept: number;
  readonly counts: FleetCounts;
  /** Messages skipped because more arrived than can be read. */
  readonly skipped: number;
  /** Messages that aren't valid records. */
  readonly leftOut: number;
}

export interface FoundFleetEvents extends Omit<FoundInStream, 'events'> {
  readonly events: readonly NamedFleetEvent[];
}

/** A machine's view of its fleet. Follows the server only while the view is in use. */
export interface FleetView {
  machines(): FleetMachines;
  feed(after: number): FleetFeed;
  search(query: FleetQuery, limit: number): Promise<FoundFleetEvents>;
  /** Opens it as a part of the fleet. */
  readonly openPart: OpenPart;
}

/** A page asks every few seconds. */
const IDLE_MS = 30_000;
/** The dashboard needs no more. */
const MOST_SHOWN = 1_000;
/** Limit of a search: agents use the same process, and clients don't wait long. */
const SEARCHED = 20_000;
const SEARCH_MS = 4_000;

interface Joined {
  readonly context: FleetContext;
  /** Null while disconnected. */
  session: FleetSession | null;
}

/** @param idleMs - how long after the last use it stops following */
export function createFleetView(idleMs: number = IDLE_MS): FleetView {
  let joined: Joined | null = null;
  let state = emptyFleetState();
  let searching: Promise<unknown> = Promise.resolve();
  const activity = createViewActivity(idleMs, () => {
    state = emptyFleetState();
  });
  const viewed = (): Joined => {
    if (joined === null) throw notJoined();
    activity.touch();
    return joined;
  };
  return {
    machines: () => machinesOf(viewed(), state),
    feed: (after) => feedOf(viewed(), state, after),
    async search(query, limit) {
      const at = viewed();
      // Sequential, because agents use the same process.
      const next = searching.then(() => searchIn(at, query, limit));
      searching = next.catch(() => {});
      const found = await next;
      return { ...found, events: found.events.map((event) => withMachineName(event, state.machines)) };
    },
    openPart(context) {
      const mine: Joined = { context, session: null };
      joined = mine;
      const close = () => {
        if (joined === mine) joined = null;
        activity.stop();
      };
      return { ...viewPart(mine, activity, () => state), close };
    },
  };
}

function viewPart(mine: Joined, activity: ViewActivity, state: () => FleetState): FleetPart {
  let following = false;
  return {
    name: 'view',
    async run(session) {
      mine.session = session;
      try {
        while (!session.signal.aborted) {
          await activity.wait(session.signal);
          const whileViewed = activity.signal();
          if (whileViewed === null || session.signal.aborted) continue;
          following = true;
          await followFleet(
            session,
            mine.context.names,
            state(),
            AbortSignal.any([session.signal, whileViewed]),
          ).finally(() => {
            following = false;
          });
        }
      } finally {
        mine.session = null;
      }
    },
    status: () => ({ following }),
  };
}

function machinesOf({ context, session }: Joined, { machines, problems }: FleetState): FleetMachines {
  const all = machines.list();
  return {
    team: context.settings.team,
    self: context.machine.id,
    connected: session !== null,
    problem: problems.machines,
    machines: all.slice(0, MOST_SHOWN),
    total: all.length,
  };
}

function feedOf({ session }: Joined, state: FleetState, after: number): FleetFeed {
  const { recent, problems, missed } = state;
  return {
    connected: session !== null,
    problem: problems.events,
    // After a pause it may be another stream, or one read again from its start.
    events: recent
      .after(after > recent.last() ? 0 : after)
      .map((event) => withMachineName(event, state.machines)),
    last: recent.last(),
    kept: recent.size(),
    counts: recent.counts(),
    ...missed,
  };
}

function searchIn({ context, session }: Joined, query: FleetQuery, limit: number): Promise<FoundInStream> {
  if (session === null) throw notConnected();
  return searchStream(session, context.names, query, { limit, most: SEARCHED, withinMs: SEARCH_MS });
}
