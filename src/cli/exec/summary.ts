import type { Agent } from '../../agents/agent.ts';
import { addTokens, NO_TOKENS, type TokenUsage, type Transcript } from '../../agents/kit/history.ts';
import { readTranscript } from '../../history/observations/transcripts.ts';
import { redact } from '../../redact/redact.ts';
import type { StoredEvent } from '../../store/read/stored-event.ts';

/** What an agent said last, and what the run took. */
export interface RunSummary {
  readonly lastMessage: string | null;
  readonly usage: (TokenUsage & { readonly costUsd: number | null }) | null;
}

/**
 * From what its hooks said, else from its transcript. Null is what neither has.
 *
 * @param main the events of the agent's own session
 * @param since when the run began, in ms since the epoch: a session may be older
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

/** Of the turns of the run where the client counts them, else of the session. */
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

/** The last text that an event of the session has there. */
function textIn(main: readonly StoredEvent[], field: string): string | null {
  const value = main.findLast(({ event }) => typeof event[field] === 'string' && event[field] !== '')?.event[
    field
  ];
  return typeof value === 'string' ? value : null;
}
