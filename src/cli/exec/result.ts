import { CALLS_AHEAD } from '../../model/events.ts';
import { reasonForPerson } from '../../model/responses.ts';
import type { StoredEvent } from '../../store/read/stored-event.ts';
import { EXIT_CODES, type RunOutcome } from './exit-codes.ts';
import type { RunEnding } from './outcome.ts';
import type { RunSummary } from './summary.ts';

/** A call that did not happen. */
interface DeniedCall {
  /** Of the event, for `hookline why`. */
  readonly id: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly reason: string | null;
  readonly rules: readonly string[];
}

/** The last line of `exec --json`. Scripts rely on it: fields are added, never changed. */
export interface RunResult extends RunSummary {
  readonly type: 'result';
  readonly outcome: RunOutcome;
  readonly exitCode: number;
  readonly agent: string;
  /** Null where no hook was called. */
  readonly sessionId: string | null;
  /** As `workflowId` of the run's events has it; null where nothing was started. */
  readonly runId: string | null;
  /** Why it did not end by itself; null for a run that is done. */
  readonly message: string | null;
  readonly denied: readonly DeniedCall[];
  /** Of the agent's own program; null where a signal ended it. */
  readonly agentExitCode: number | null;
  readonly durationMs: number;
}

/** All that is known when a run has ended. */
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

/** Of an agent that would not have asked Hookline, and was not started. */
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

/** Each call once: a client that asks for permission after the call was denied is denied again. */
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

/** Some agents cannot be made to ask: they are told no. */
function isRefused({ response, degraded }: StoredEvent): boolean {
  return response.decision === 'deny' || degraded.some(({ instead }) => instead === 'deny');
}
