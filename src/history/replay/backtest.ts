import { type HookEvent, sessionKey } from '../../model/events.ts';
import { isStronger } from '../../model/merge.ts';
import type { Opinion } from '../../model/recording.ts';
import type { Decision } from '../../model/responses.ts';
import { eventTitle } from '../../model/subject.ts';
import { answererOf } from '../calls/event-brief.ts';
import type { RecordedCall } from './recorded-calls.ts';
import { mergedResponse, type Replay } from './replay.ts';

/** What becomes of a call that was decided otherwise. `undecided` leaves it to the agent's own permissions. */
export type ChangeKind = 'denied' | 'asked' | 'allowed' | 'undecided';

export interface DecisionChange {
  readonly id: string;
  readonly at: number;
  readonly source: string;
  readonly project: string | null;
  readonly sessionId: string;
  /** Its subject, for display. */
  readonly subject: string;
  readonly kind: ChangeKind;
  readonly from: Decision;
  readonly to: Decision;
  /** The rules that make the difference: those that decide now or, if there are none, those that decided otherwise. */
  readonly rules: readonly string[];
  /** What a person said to it then. */
  answered: Answered | null;
}

interface Answered {
  readonly decision: 'allow' | 'deny';
  readonly by: string;
}

export interface Backtest {
  readonly calls: number;
  /** Calls that could not be read back. */
  readonly unreadable: number;
  /** Calls by which rules asked for something that history does not tell. */
  readonly unknowable: Replay['unknowable'];
  readonly changes: readonly DecisionChange[];
}

const KINDS: Readonly<Record<Decision, ChangeKind>> = {
  deny: 'denied',
  ask: 'asked',
  allow: 'allowed',
  none: 'undecided',
};

/** Goes through recorded calls in their order and tells which of them would now be decided otherwise. */
export async function backtest(
  calls: Iterable<RecordedCall>,
  replay: Replay,
  progress: (done: number) => void = () => {},
): Promise<Backtest> {
  const changes: DecisionChange[] = [];
  const byCall = new Map<string, DecisionChange>();
  let done = 0;
  let unreadable = 0;
  for (const call of calls) {
    const replayed = await replay.replay(call);
    if (!replayed) unreadable += 1;
    else {
      const change = replayed.unsure
        ? null
        : changeOf(call, replayed.event, mergedResponse(call.opinions).decision, replayed);
      const key = keyOf(call);
      // The dialog about a call is the same call again.
      if (change && byCall.get(key)?.kind !== change.kind) {
        changes.push(change);
        byCall.set(key, change);
      }
    }
    const earlier = byCall.get(keyOf(call));
    if (earlier) earlier.answered = answerIn(call) ?? earlier.answered ?? inDialog(call, earlier);
    done += 1;
    progress(done);
  }
  return { calls: done, unreadable, unknowable: replay.unknowable, changes };
}

/** What of it is about these events. All calls were judged again: rules remember what came before. */
export function onlyAmong(result: Backtest, events: readonly Pick<RecordedCall, 'id'>[]): Backtest {
  const ids = new Set(events.map(({ id }) => id));
  return { ...result, calls: ids.size, changes: result.changes.filter(({ id }) => ids.has(id)) };
}

function keyOf(call: RecordedCall): string {
  const place = call.type.includes('tool') || call.type.startsWith('permission') ? call.toolNumber : call.id;
  return `${sessionKey(call)}\0${place}`;
}

function changeOf(
  call: RecordedCall,
  event: HookEvent | null,
  from: Decision,
  now: { readonly response: { readonly decision: Decision }; readonly opinions: readonly Opinion[] },
): DecisionChange | null {
  const to = now.response.decision;
  if (from === to) return null;
  const saying = (opinions: readonly Opinion[], decision: Decision) =>
    opinions
      .filter(({ observing, response }) => observing !== true && response.decision === decision)
      .map(({ by }) => by);
  const because =
    to === 'none' || isStronger(from, to) ? saying(call.opinions, from) : saying(now.opinions, to);
  return {
    id: call.id,
    at: call.timestamp,
    source: call.source,
    project: call.projectId,
    sessionId: call.sessionId,
    subject: event ? eventTitle(event) : call.type,
    kind: KINDS[to],
    from,
    to,
    rules: [...new Set(because)],
    answered: null,
  };
}

/** What a person or a grant decided about a recorded call. */
function answerIn(call: RecordedCall): Answered | null {
  const said = call.opinions.findLast(({ kind, response: { decision } }) => {
    return kind === 'approval' && (decision === 'allow' || decision === 'deny');
  });
  if (!said) return null;
  return { decision: said.response.decision === 'allow' ? 'allow' : 'deny', by: answererOf(said.by) };
}

/** Asked about, not answered here, and then it ran: it was allowed in the agent's own dialog. */
function inDialog(call: RecordedCall, { from }: DecisionChange): Answered | null {
  const ran = call.type === 'after_tool' && (call.outcome === 'ok' || call.outcome === 'failed');
  return ran && from === 'ask' ? { decision: 'allow', by: "you, in the agent's own dialog" } : null;
}

/** A person had answered the other way. */
export function isAgainstAnswer({ kind, answered }: DecisionChange): boolean {
  if (answered === null) return false;
  return kind === 'denied' ? answered.decision === 'allow' : kind !== 'asked' && answered.decision === 'deny';
}
