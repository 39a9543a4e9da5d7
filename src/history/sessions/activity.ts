import { oneLine, timeTaken } from '../../model/text.ts';
import { type Call, type Item, itemsOf } from '../calls/calls.ts';
import type { EventBrief } from '../calls/event-brief.ts';
import { sessionState } from '../calls/session-state.ts';

/** A session's current activity. */
export type Activity = 'waiting' | 'running' | 'idle' | 'ended' | 'lost';

/** A model silent for this long won't answer: its agent was probably killed. */
const LOST_THINKING_MS = 10 * 60_000;
/** A command may take longer. */
const LOST_RUNNING_MS = 60 * 60_000;
const LONGEST_SUBJECT = 60;

/** After these, it is the user's turn. */
const RESTING: ReadonlySet<string> = new Set([
  'session_start',
  'setup',
  'after_agent',
  'stop',
  'stop_failure',
  'interrupt',
]);

export interface Doing {
  readonly activity: Activity;
  /** As text: `Runs npm test for 41 s`, `Idle since 14:20`. */
  readonly words: string;
}

interface Lasting {
  readonly startedAt: number;
  readonly lastAt: number;
  readonly endedAt: number | null;
}

/** A session's current activity, from its newest events; `waits` is the number of its pending approvals. */
export function currentActivity(
  session: Lasting,
  events: readonly EventBrief[],
  waits: number,
  now: number,
): Doing {
  if (session.endedAt !== null)
    return { activity: 'ended', words: `Ended at ${shortClock(session.endedAt)}` };
  if (waits > 0) return { activity: 'waiting', words: 'Needs approval' };
  const lost: Doing = {
    activity: 'lost',
    words: `No activity since ${shortClock(session.lastAt)}`,
  };
  if (sessionState(session, now) === 'lost') return lost;
  const items = itemsOf(events, now);
  const open = items.findLast(isOpen);
  const silentMs = now - session.lastAt;
  if (open) return silentMs > LOST_RUNNING_MS ? lost : doingCall(open.call, now);
  const last = events.findLast(({ agentId }) => agentId === null);
  if (!last || RESTING.has(last.type))
    return { activity: 'idle', words: `Idle since ${shortClock(session.lastAt)}` };
  if (silentMs > LOST_THINKING_MS) return lost;
  return { activity: 'running', words: `Thinking for ${roughly(silentMs)}` };
}

function isOpen(item: Item): item is Extract<Item, { kind: 'call' }> {
  return item.kind === 'call' && (item.call.outcome === 'running' || item.call.outcome === 'waiting');
}

function doingCall({ outcome, subject, tool, start }: Call, now: number): Doing {
  const what = oneLine(subject, LONGEST_SUBJECT) || tool;
  if (outcome === 'waiting') return { activity: 'waiting', words: `Needs approval in the agent: ${what}` };
  return { activity: 'running', words: `Running ${what} for ${roughly(now - start)}` };
}

/** 14:03, in local time. */
export function shortClock(at: number): string {
  return new Date(at).toTimeString().slice(0, 5);
}

/** Rounds the duration of ongoing work to seconds. */
function roughly(ms: number): string {
  return timeTaken(Math.max(1, Math.round(ms / 1_000)) * 1_000).replace(/\.\d s/, ' s');
}
