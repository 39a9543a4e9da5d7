import * as v from 'valibot';
import { HooklineError } from '../../model/errors.ts';
import type { Database } from '../../store/database/driver.ts';
import { listSessions, type StoredSession } from '../../store/read/queries.ts';
import { isEndOf } from '../../store/read/short-id.ts';
import type { MissedCall } from '../observations/reconcile.ts';
import { listObservations, type StoredObservation } from '../observations/stored-observation.ts';
import { type SessionSummary, summarise } from './summary.ts';

/** All that is known of a session. */
export interface SessionStory {
  readonly session: StoredSession;
  readonly summary: SessionSummary;
  readonly timeline: readonly StoredObservation[];
  /** Null when there was none to read. */
  readonly transcript: StoredTranscript | null;
}

interface StoredTranscript {
  readonly path: string;
  readonly turns: number;
  readonly interrupts: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
  readonly costUsd: number | null;
  readonly lastMessage: string | null;
  readonly gaps: readonly MissedCall[];
}

/** By its id, or by the beginning of it when no other has the same. */
export function readSession(db: Database, idOrPrefix: string): SessionStory | null {
  const session = findSession(db, idOrPrefix);
  if (session === null) return null;
  return {
    session,
    summary: summarise(db, session),
    timeline: inTurns(listObservations(db, { session: session.sessionId, source: session.source })),
    transcript: readTranscript(db, session),
  };
}

export function latestSession(db: Database): StoredSession | null {
  return listSessions(db, { limit: 1 })[0] ?? null;
}

export function findSession(db: Database, idOrPrefix: string): StoredSession | null {
  const all = listSessions(db, { own: true });
  const begun = all.filter(({ sessionId }) => sessionId.startsWith(idOrPrefix));
  const fitting = begun.length > 0 ? begun : all.filter(({ sessionId }) => isEndOf(sessionId, idOrPrefix));
  const exact = fitting.filter(({ sessionId }) => sessionId === idOrPrefix);
  const [first, second] = exact.length > 0 ? exact : fitting;
  if (second !== undefined) {
    throw new HooklineError('USAGE', `More than one session ID starts with "${idOrPrefix}".`, {
      hint: 'Use more of the ID; `hookline sessions` shows it.',
    });
  }
  return first ?? null;
}

/** What the transcript added later stands where it belongs. */
function inTurns(timeline: readonly StoredObservation[]): readonly StoredObservation[] {
  return [...timeline].sort((a, b) => a.timestamp - b.timestamp || a.row - b.row);
}

const gaps: v.GenericSchema<unknown, MissedCall[]> = v.array(
  v.object({
    id: v.nullable(v.string()),
    tool: v.string(),
    input: v.string(),
    at: v.nullable(v.number()),
  }),
);

const columns = v.object({
  path: v.string(),
  turns: v.number(),
  interrupts: v.number(),
  input_tokens: v.number(),
  output_tokens: v.number(),
  cache_read_tokens: v.number(),
  cache_write_tokens: v.number(),
  reasoning_tokens: v.number(),
  cost_usd: v.nullable(v.number()),
  last_message: v.nullable(v.string()),
  gaps: v.string(),
});

function readTranscript(db: Database, { source, sessionId }: StoredSession): StoredTranscript | null {
  const raw = db
    .prepare('SELECT * FROM transcripts WHERE source = ? AND session_id = ?')
    .get(source, sessionId);
  if (raw === undefined) return null;
  const row = v.parse(columns, raw);
  const missed = v.safeParse(gaps, JSON.parse(row.gaps));
  return {
    path: row.path,
    turns: row.turns,
    interrupts: row.interrupts,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    cacheReadTokens: row.cache_read_tokens,
    cacheWriteTokens: row.cache_write_tokens,
    reasoningTokens: row.reasoning_tokens,
    costUsd: row.cost_usd,
    lastMessage: row.last_message,
    gaps: missed.success ? missed.output : [],
  };
}
