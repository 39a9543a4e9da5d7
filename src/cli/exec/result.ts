import { CALLS_AHEAD } from '../../model/events.ts';
import { reasonForPerson } from '../../model/responses.ts';
import type { StoredEvent } from '../../store/read/stored-event.ts';
import { EXIT_CODES, type RunOutcome } from './exit-codes.ts';
import type { RunEnding } from './outcome.ts';
import type { RunSummary } from './summary.ts';

/** A denied call. */
interface DeniedCall {
  /** The event's ID, for `hookline why`. */
  readonly id: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly reason: string | null;
  readonly rules: readonly string[];
}

/** The last line of `exec --json`. Scripts rely on it: fields may be added but never changed. */
export interface RunResult extends RunSummary {
  readonly type: 'result';
  readonly outcome: RunOutcome;
  readonly exitCode: number;
  readonly agent: string;
  /** Null if no hook was called. */
  readonly sessionId: string | null;
  /** The `workflowId` of the run's events; null if nothing was started. */
  readonly runId: string | null;
  /** Why it didn't end by itself; null if the run is done. */
  readonly message: string | null;
  readonly denied: readonly DeniedCall[];
  /** The exit code of the agent's program; null if a signal ended it. */
  readonly agentExitCode: number | null;
  readonly durationMs: number;
}

/** All facts about a finished run. */
interface RunFacts extends RunSummary, RunEnding {
  readonly agent: string;
  readonly sessionId: string | null;
  readonly runId: string | null;
  readonly events: readonly StoredEvent[];
  readonly agentExitCode: number | null;
  readonly durationMs: number;
}

export function resultOf({ outcome, message, events, ...facts }: RunFacts): RunResult {
  const { agent, sessionId, runId, lastMessage, usage, agentExitCode, durationMs } = facts;
  return {
    type: 'result',
    outcome,
    exitCode: EXIT_CODES[outcome],
    agent,
    sessionId,
    runId,
    message,
    lastMessage,
    usage,
    denied: deniedIn(events),
    agentExitCode,
    durationMs,
  };
}

/** The result for an agent that wouldn't have called Hookline and was not started. */
export function notStarted(agent: string, message: string): RunResult {
  const nothing = { sessionId: null, runId: null, events: [], lastMessage: null, usage: null };
  return resultOf({
    ...nothing,
    outcome: 'unguarded',
    message,
    agent,
    agentExitCode: null,
    durationMs: 0,
  });
}

/** Each call once: an agent that asks for permission after a denial is denied twice. */
function deniedIn(events: readonly StoredEvent[]): readonly DeniedCall[] {
  const calls = new Map<string, DeniedCall>();
  for (const event of events) {
    const { id, type, sessionId, toolNumber, tool, response, rules } = event;
    const key = `${sessionId}\0${tool?.useId ?? toolNumber}`;
    if (tool === null || !CALLS_AHEAD.has(type) || !isRefused(event) || calls.has(key)) continue;
    const reason = reasonForPerson(response) ?? null;
    calls.set(key, { id, tool: tool.name, input: tool.input, reason, rules });
  }
  return [...calls.values()];
}

/** Some agents can't ask, and get a denial instead. */
function isRefused({ response, degraded }: StoredEvent): boolean {
  return response.decision === 'deny' || degraded.some(({ instead }) => instead === 'deny');
}
