import type { EventType } from '../../model/events.ts';
import { type Effect, reasonForPerson } from '../../model/responses.ts';
import { redact } from '../../redact/redact.ts';
import type { StoredEvent } from '../../store/read/stored-event.ts';
import type { Ended } from './agent-process.ts';
import type { RunOutcome } from './exit-codes.ts';

/** How a run ended, and why, for the user. */
export interface RunEnding {
  readonly outcome: RunOutcome;
  /** Null if the run is done. */
  readonly message: string | null;
}

const PROMPTS: ReadonlySet<EventType> = new Set(['before_agent', 'user_prompt_expansion']);
const TURN_ENDS: ReadonlySet<EventType> = new Set(['stop', 'after_agent']);

/** The agent's own session in a run, without subagents and agents that it started. */
export function mainSession(events: readonly StoredEvent[], agent: string): readonly StoredEvent[] {
  const id = events.find(({ source, agentId }) => source === agent && agentId === null)?.sessionId;
  return events.filter((one) => one.source === agent && one.sessionId === id && one.agentId === null);
}

/** Derives the outcome from the recorded events and the way the process ended. The same for every agent. */
export function runEndingOf(
  main: readonly StoredEvent[],
  ended: Ended,
  label: string,
  lastMessage: string | null,
): RunEnding {
  if (ended.cut === 'timeout') return { outcome: 'timeout', message: `${label} timed out.` };
  if (ended.cut !== null) {
    const outcome = ended.cut === 'SIGINT' ? 'interrupted' : 'terminated';
    return { outcome, message: `${label} was interrupted.` };
  }
  const denial = denialIn(main);
  if (denial !== null) return { outcome: 'denied', message: denial };
  const failure = failureIn(main, ended, label, lastWords(ended, lastMessage));
  if (failure !== null) return failure;
  const gate = gateIn(main);
  if (gate !== null)
    return {
      outcome: 'gated',
      message: `The agent ended the turn, although a rule or hook denied that: ${gate}`,
    };
  return { outcome: 'done', message: null };
}

/** Why the run had to end: its prompt was denied, or its turn was halted. A denied call doesn't end a run. */
function denialIn(main: readonly StoredEvent[]): string | null {
  const at = main.findLastIndex(({ type }) => PROMPTS.has(type));
  const prompt = main[at];
  if (prompt?.response.decision === 'deny' && wasDelivered(prompt, 'deny'))
    return `The prompt was denied: ${reasonForPerson(prompt.response) ?? 'no reason was given'}`;
  const halted = main
    .slice(at + 1)
    .find((one) => one.response.halt !== undefined && wasDelivered(one, 'halt'));
  const halt =
    halted ?? (prompt?.response.halt !== undefined && wasDelivered(prompt, 'halt') ? prompt : undefined);
  return halt === undefined ? null : `The turn was halted: ${halt.response.halt || 'no reason was given'}`;
}

function wasDelivered({ degraded }: StoredEvent, effect: Effect): boolean {
  return !degraded.some((one) => one.effect === effect && one.instead === undefined);
}

function failureIn(
  main: readonly StoredEvent[],
  ended: Ended,
  label: string,
  words: string,
): RunEnding | null {
  const { code, signal } = ended;
  if (code !== 0) {
    const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
    const when = main.length === 0 ? ' before it called a hook' : '';
    return { outcome: 'failed', message: `${label} ${how}${when}.${words}` };
  }
  if (main.length === 0) {
    const message = `${label} ran without its hooks, so no rule was applied. Run \`hookline doctor\`.`;
    return { outcome: 'unguarded', message };
  }
  const turnEnd = main.findLastIndex(({ type }) => TURN_ENDS.has(type));
  const failed = main.slice(turnEnd + 1).find(({ type }) => type === 'stop_failure');
  if (failed) return { outcome: 'failed', message: `${label} failed: ${textOf(failed, 'error')}.${words}` };
  if (turnEnd === -1) return { outcome: 'failed', message: `${label} exited before its turn ended.${words}` };
  return null;
}

/** Why a gate still denied the end of the turn. */
function gateIn(main: readonly StoredEvent[]): string | null {
  const last = main.findLast(({ type }) => TURN_ENDS.has(type));
  if (last === undefined) return null;
  const spent = last.opinions.find((opinion) => opinion.spent === true);
  const refusal = last.response.decision === 'deny' ? last.response : spent?.response;
  return refusal === undefined ? null : (reasonForPerson(refusal) ?? 'no reason was given');
}

const MOST_WORDS = 500;

/** The agent's own description of its failure: in its output, or as its last message. */
function lastWords({ stderr, stdout }: Ended, lastMessage: string | null): string {
  const text = stderr.trim() || lastMessage || stdout.trim();
  return text === '' ? '' : `\n${redact(text.slice(-MOST_WORDS))}`;
}

function textOf({ event }: StoredEvent, field: string): string {
  const text = event[field];
  return typeof text === 'string' ? text : 'no error message';
}
