import { type Call, type Item, startOf } from '../history/calls/calls.ts';
import type { EventBrief } from '../history/calls/event-brief.ts';
import { currentActivity, type Doing } from '../history/sessions/activity.ts';
import { groupBy } from '../model/group-by.ts';
import { folderName } from '../model/text.ts';
import type { StoredSession } from '../store/read/queries.ts';
import type { Look } from './line.ts';

/** A session with the branch that is checked out in its directory. */
export interface LiveSession extends StoredSession {
  readonly branch: string | null;
}

/** An active session with its place, its current activity and its recent calls. */
export interface Lane {
  readonly session: LiveSession;
  readonly repo: string;
  readonly doing: Doing;
  readonly items: readonly Item[];
  /** Start of its oldest pending approval; null without one. */
  readonly waitsSince: number | null;
}

interface Pending {
  readonly source: string;
  readonly sessionId: string;
  readonly createdAt: number;
}

const keyOf = ({ source, sessionId }: { readonly source: string; readonly sessionId: string }): string =>
  `${source}/${sessionId}`;

/** Sessions that are idle for longer are not shown. */
const SHOWN_MS = 60 * 60_000;

/** Active sessions, newest first. Leaves out those that ended or sent nothing for an hour. */
export function lanesOf(
  sessions: readonly LiveSession[],
  events: readonly EventBrief[],
  items: readonly Item[],
  pending: readonly Pending[],
  now: number,
): readonly Lane[] {
  const pendingOf = groupBy(pending, keyOf);
  const eventsOf = groupBy(events, keyOf);
  const itemsOf = groupBy(items, (item) => keyOf(item.kind === 'call' ? item.call : item.event));
  return sessions
    .filter(({ endedAt, lastAt }) => endedAt === null && now - lastAt < SHOWN_MS)
    .map((session) => {
      const key = keyOf(session);
      const waits = pendingOf.get(key) ?? [];
      return {
        session,
        repo: folderName(session.projectId ?? session.cwd),
        doing: currentActivity(session, eventsOf.get(key) ?? [], waits.length, now),
        items: itemsOf.get(key) ?? [],
        waitsSince: waits.length === 0 ? null : Math.min(...waits.map(({ createdAt }) => createdAt)),
      };
    })
    .sort((a, b) => rank(a) - rank(b) || b.session.startedAt - a.session.startedAt);
}

/** Active sessions come before idle ones: a list that is cut shows what matters. */
function rank({ doing: { activity } }: Lane): number {
  return activity === 'waiting' || activity === 'running' ? 0 : 1;
}

export function isActive({ doing: { activity } }: Lane): boolean {
  return activity === 'waiting' || activity === 'running';
}

interface Bar {
  readonly sign: string;
  readonly look: Look;
}

/** The signs of a lane, most important first: a cell with several shows the first. */
export const SIGNS = {
  waiting: { sign: '█', look: 'waiting', meaning: 'pending' },
  denied: { sign: '◆', look: 'denied', meaning: 'denied' },
  failed: { sign: '▯', look: 'denied', meaning: 'failed' },
  running: { sign: '━', look: 'running', meaning: 'running' },
  ran: { sign: '▪', look: 'quiet', meaning: 'done' },
  prompt: { sign: '│', look: 'quiet', meaning: 'prompt' },
  thinking: { sign: '─', look: 'quiet', meaning: 'thinking' },
} as const satisfies Readonly<Record<string, Bar & { readonly meaning: string }>>;

type Sign = keyof typeof SIGNS;
const WEIGHTS = Object.keys(SIGNS);

/** A lane between two times, one sign per cell; blank while the session was idle or not started. */
export function barsOf(lane: Lane, from: number, to: number, cells: number): readonly (Bar | null)[] {
  const bars: (Sign | null)[] = Array.from({ length: cells }, () => null);
  const put = (sign: Sign, start: number, end: number) => {
    const first = Math.floor(((start - from) / (to - from)) * cells);
    const last = Math.min(cells - 1, Math.floor(((end - from) / (to - from)) * cells));
    for (let at = Math.max(0, Math.min(first, cells - 1)); at <= last; at += 1) {
      const known = bars[at];
      if (!known || WEIGHTS.indexOf(sign) < WEIGHTS.indexOf(known)) bars[at] = sign;
    }
  };
  for (const [start, end] of turnsOf(lane, to)) if (end >= from) put('thinking', start, end);
  for (const item of lane.items) {
    if (item.kind === 'call') {
      const end = item.call.end ?? to;
      if (end >= from) put(signOf(item.call), item.call.start, end);
    } else if (item.event.type === 'before_agent' && item.event.timestamp >= from)
      put('prompt', item.event.timestamp, item.event.timestamp);
  }
  // The event of a pending call is stored with its answer, so it is not among the items yet.
  if (lane.waitsSince !== null) put('waiting', lane.waitsSince, to);
  return bars.map((sign) => (sign === null ? null : SIGNS[sign]));
}

function signOf({ outcome }: Call): Sign {
  if (outcome === 'waiting' || outcome === 'denied' || outcome === 'failed' || outcome === 'running')
    return outcome;
  return 'ran';
}

const TURN_ENDS: ReadonlySet<string> = new Set(['after_agent', 'stop', 'stop_failure', 'interrupt']);

/** From each prompt to the end of its turn. A turn without an end continues, unless its agent is gone. */
function turnsOf({ items, doing, session }: Lane, now: number): readonly (readonly [number, number])[] {
  const turns: [number, number][] = [];
  let start: number | null = null;
  for (const item of items) {
    if (item.kind === 'event' && TURN_ENDS.has(item.event.type)) {
      if (start !== null) turns.push([start, item.event.timestamp]);
      start = null;
    } else if (item.kind === 'call' || item.event.type === 'before_agent') start ??= startOf(item);
  }
  const isGone = doing.activity === 'lost' || doing.activity === 'idle';
  if (start !== null) turns.push([start, isGone ? session.lastAt : now]);
  return turns;
}
