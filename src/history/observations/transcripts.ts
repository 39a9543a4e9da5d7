import { closeSync, fstatSync, readSync } from 'node:fs';
import type { Agent } from '../../agents/agent.ts';
import {
  type AgentHistory,
  addTokens,
  NO_TOKENS,
  type Transcript,
  type TranscriptCall,
  type TranscriptReader,
} from '../../agents/kit/history.ts';
import { sessionKey } from '../../model/events.ts';
import { BoundedMap } from '../../platform/bounded.ts';
import { openRegularFile, readRegularFile } from '../../platform/bounded-files.ts';
import { redactId } from '../../redact/ids.ts';
import type { Database } from '../../store/database/driver.ts';
import { plain } from '../../store/read/event-columns.ts';
import type { Redact } from '../../store/record/event-json.ts';
import { isDatabase, statIfAny, withClientDatabase } from './client-database.ts';
import { observeFailures } from './failed-calls.ts';
import { linkMessages } from './link-messages.ts';
import type { EndedTurn } from './observer.ts';
import { missedCalls, promptGapsIn, resolveOutcomes } from './reconcile.ts';

/** Stores the content of agents' transcripts, continuing each file where it stopped. */
interface Transcripts {
  read(turn: EndedTurn): void;
  /** Reads files that have grown since, because clients write the end of a turn only after the hook was answered. */
  readOn(): void;
}

interface Open {
  readonly turn: EndedTurn;
  readonly history: AgentHistory;
  reader: TranscriptReader;
  offset: number;
  rest: string;
  /** Last write to a database or document, as far as it was read. */
  stamp: string;
  /** Number of messages linked to their calls. */
  linked: number;
}

const CHUNK_BYTES = 1 << 20;
/** A larger transcript isn't read in one go, because hooks wait in the meantime. */
const MOST_BYTES = 64 << 20;
const REMEMBERED = 50;

const UPSERT = `
  INSERT OR REPLACE INTO transcripts (source, session_id, path, turns, interrupts, input_tokens, output_tokens,
    cache_read_tokens, cache_write_tokens, reasoning_tokens, cost_usd, last_message, models, gaps)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export function createTranscripts(
  db: Database,
  agents: ReadonlyMap<string, Agent>,
  redact: Redact,
): Transcripts {
  const open = new BoundedMap<string, Open>(REMEMBERED);
  const save = transcriptWriter(db, redact);

  function advance(one: Open): void {
    if (!takeNew(one)) return;
    const transcript = withTotals(one, one.reader.transcript());
    // The last message may have more calls by now.
    save(one, transcript, transcript.messages.slice(Math.max(0, one.linked - 1)));
    one.linked = transcript.messages.length;
  }

  return {
    read(turn) {
      const history = agents.get(turn.source)?.history;
      if (history === undefined) return;
      const key = `${sessionKey(turn)}\0${turn.transcriptPath}`;
      const one = open.get(key) ?? begun(turn, history);
      open.set(key, one);
      advance(one);
    },
    readOn() {
      for (const one of open.values()) advance(one);
    },
  };
}

/** The current content of a session's transcript; null if there is none or it is unreadable. */
export function readTranscript(turn: EndedTurn, history: AgentHistory): Transcript | null {
  const one = begun(turn, history);
  return takeNew(one) ? withTotals(one, one.reader.transcript()) : null;
}

function begun(turn: EndedTurn, history: AgentHistory): Open {
  return { turn, history, reader: history.readTranscript(), offset: 0, rest: '', stamp: '', linked: 0 };
}

/** Tokens that the client counts in another file, which may be missing or just being written. */
function withTotals({ turn, history: { totals } }: Open, transcript: Transcript): Transcript {
  if (totals === undefined) return transcript;
  try {
    return { ...transcript, usage: totals.read(jsonIn(totals.path(turn.transcriptPath))) };
  } catch {
    return transcript;
  }
}

/** Throws if it can't be read. */
function jsonIn(path: string): unknown {
  const read = readRegularFile(path, { within: null, maxBytes: MOST_BYTES });
  if ('refused' in read) throw new Error(`can't read ${path}: ${read.refused}`);
  return JSON.parse(read.content.toString('utf8'));
}

type Save = (
  one: Pick<Open, 'turn' | 'history'>,
  transcript: Transcript,
  messages: Transcript['messages'],
) => void;

/** Writes the content of a transcript and links these messages. */
function transcriptWriter(db: Database, redact: Redact): Save {
  const upsert = db.prepare(UPSERT);
  return ({ turn, history }, { calls: found, turns, usage, costUsd }, messages) => {
    const { source, sessionId, transcriptPath } = turn;
    const calls = found.map((call) => asRecorded(call, redact));
    const used = Object.values(usage).reduce(addTokens, NO_TOKENS);
    const last = turns.findLast(({ message }) => message !== null)?.message ?? null;
    db.transaction(() => {
      resolveOutcomes(db, source, sessionId, calls);
      if (history.failuresUnreported) observeFailures(db, history, turn, calls, redact);
      linkMessages(db, source, sessionId, { calls, turns, messages }, redact);
      const gaps = [
        ...missedCalls(db, source, sessionId, calls),
        ...(history.asksAboutPrompts ? promptGapsIn(db, source, sessionId, turns) : []),
      ];
      upsert.run(
        source,
        sessionId,
        plain(redact(transcriptPath)),
        turns.length,
        turns.filter(({ interrupted }) => interrupted).length,
        used.input,
        used.output,
        used.cacheRead,
        used.cacheWrite,
        used.reasoning,
        costUsd,
        last === null ? null : plain(redact(last)),
        redact(JSON.stringify(usage)),
        redact(JSON.stringify(gaps)),
      );
    });
  };
}

/** With its ID and name as stored in the events. */
function asRecorded(call: TranscriptCall, redact: Redact): TranscriptCall {
  const id = call.id === null ? null : redactId(call.id);
  return { ...call, id, nativeName: redact(call.nativeName) };
}

/** False if there is nothing new. */
function takeNew(one: Open): boolean {
  if (one.history.records) return takeRecords(one);
  return one.history.document ? takeDocument(one) : takeIn(one);
}

/** Reads a document again; false if it is unchanged or unreadable. */
function takeDocument(one: Open): boolean {
  const { transcriptPath: path } = one.turn;
  const stats = statIfAny(path);
  const stamp = `${stats?.mtimeMs} ${stats?.size}`;
  if (!stats || stamp === one.stamp || stats.size > MOST_BYTES) return false;
  try {
    const reader = one.history.readTranscript();
    for (const record of one.history.document?.(jsonIn(path)) ?? []) reader.add(record);
    one.reader = reader;
    one.stamp = stamp;
    return true;
  } catch {
    // Another program's file, which may just be being written.
    return false;
  }
}

/** Reads a session's records again; false if nothing was written since, or no database is readable now. */
function takeRecords(one: Open): boolean {
  const { transcriptPath: path, sessionId } = one.turn;
  const stamp = ['', '-wal'].map((end) => statIfAny(`${path}${end}`)?.mtimeMs).join();
  if (stamp === one.stamp || !isDatabase(path)) return false;
  try {
    const reader = one.history.readTranscript();
    const records = withClientDatabase(path, (query) => one.history.records?.(query, sessionId));
    for (const record of records ?? []) reader.add(record);
    one.reader = reader;
    one.stamp = stamp;
    return true;
  } catch {
    // Another program's database, which may have other tables or be locked.
    return false;
  }
}

/** Reads what is new; false if there is nothing, or no file. */
function takeIn(one: Open): boolean {
  let file: number | null = null;
  try {
    file = openRegularFile(one.turn.transcriptPath);
  } catch {
    // The file is missing.
  }
  if (file === null) return false;
  try {
    const { size } = fstatSync(file);
    if (size <= one.offset || size - one.offset > MOST_BYTES) return false;
    const decoder = new TextDecoder();
    while (one.offset < size) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - one.offset));
      const got = readSync(file, chunk, 0, chunk.length, one.offset);
      if (got === 0) break;
      one.offset += got;
      const lines = (one.rest + decoder.decode(chunk.subarray(0, got), { stream: true })).split('\n');
      one.rest = lines.pop() ?? '';
      for (const line of lines) addLine(one.reader, line);
    }
    return true;
  } catch {
    // Another program's file, which may be deleted or truncated while it is read.
    return false;
  } finally {
    closeSync(file);
  }
}

function addLine(reader: TranscriptReader, line: string): void {
  if (line.trim() === '') return;
  try {
    reader.add(JSON.parse(line));
  } catch {
    // Skips a line that isn't JSON.
  }
}
