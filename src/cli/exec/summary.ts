import type { Agent } from '../../agents/agent.ts';
import { addTokens, NO_TOKENS, type TokenUsage, type Transcript } from '../../agents/kit/history.ts';
import { readTranscript } from '../../history/observations/transcripts.ts';
import { redact } from '../../redact/redact.ts';
import type { StoredEvent } from '../../store/read/stored-event.ts';

/** The agent's last message, and the usage of the run. */
export interface RunSummary {
  readonly lastMessage: string | null;
  readonly usage: (TokenUsage & { readonly costUsd: number | null }) | null;
}

/**
 * From the agent's hooks, otherwise from its transcript. Null if neither has it.
 * @param main events of the agent's own session
 * @param since start of the run, in ms since the epoch: the session may be older
 */
export function summaryOf(
  agent: Pick<Agent, 'history'>,
  main: readonly StoredEvent[],
  since: number,
): RunSummary {
  const transcript = transcriptOf(agent, main);
  const turns = (transcript?.turns ?? []).filter(({ startedAt }) => startedAt === null || startedAt >= since);
  const message =
    textIn(main, 'lastAssistantMessage') ?? turns.findLast((turn) => turn.message !== null)?.message ?? null;
  return {
    lastMessage: message === null ? null : redact(message),
    usage: transcript === null ? null : usageIn(transcript, turns),
  };
}

/** Of the turns in the run if the agent counts them, otherwise of the session. */
function usageIn({ usage, costUsd }: Transcript, turns: Transcript['turns']): RunSummary['usage'] {
  const ofTurns = turns.map((turn) => turn.usage).reduce(addTokens, NO_TOKENS);
  const tokens = isNothing(ofTurns) ? Object.values(usage).reduce(addTokens, NO_TOKENS) : ofTurns;
  return isNothing(tokens) ? null : { ...tokens, costUsd };
}

function isNothing(tokens: TokenUsage): boolean {
  return Object.values(tokens).every((count) => count === 0);
}

function transcriptOf({ history }: Pick<Agent, 'history'>, main: readonly StoredEvent[]): Transcript | null {
  const last = main.at(-1);
  const transcriptPath = textIn(main, 'transcriptPath');
  if (history === undefined || last === undefined || transcriptPath === null) return null;
  return readTranscript({ source: last.source, sessionId: last.sessionId, transcriptPath }, history);
}

/** The last text in that field of the session's events. */
function textIn(main: readonly StoredEvent[], field: string): string | null {
  const value = main.findLast(({ event }) => typeof event[field] === 'string' && event[field] !== '')?.event[
    field
  ];
  return typeof value === 'string' ? value : null;
}
