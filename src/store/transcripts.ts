import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Agent } from '../agents/agent.ts';
import { addTokens, NO_TOKENS, type Transcript, type TranscriptReader } from '../agents/history.ts';
import type { Database } from './driver.ts';
import type { Redact } from './event-json.ts';
import { plain } from './event-row.ts';
import type { EndedTurn } from './observer.ts';
import { gapsIn, resolveOutcomes } from './reconcile.ts';

/** Keeps what the agents' own transcripts say, reading each file on from where it was left. */
export interface Transcripts {
  read(turn: EndedTurn): void;
  /** Those that have grown since: clients write the end of a turn only after the hook was answered. */
  readOn(): void;
}

interface Open {
  readonly turn: EndedTurn;
  readonly reader: TranscriptReader;
  offset: number;
  rest: string;
}

const CHUNK_BYTES = 1 << 20;
/** Beyond this a transcript is not read in one go: hooks wait for us meanwhile. */
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
  const open = new Map<string, Open>();
  const upsert = db.prepare(UPSERT);

  function save({ source, sessionId, transcriptPath }: EndedTurn, transcript: Transcript): void {
    const used = Object.values(transcript.usage).reduce(addTokens, NO_TOKENS);
    const last = transcript.turns.findLast(({ message }) => message !== null)?.message ?? null;
    db.transaction(() => {
      resolveOutcomes(db, source, sessionId, transcript.calls);
      upsert.run(
        source,
        sessionId,
        plain(transcriptPath),
        transcript.turns.length,
        transcript.turns.filter(({ interrupted }) => interrupted).length,
        used.input,
        used.output,
        used.cacheRead,
        used.cacheWrite,
        used.reasoning,
        transcript.costUsd,
        last === null ? null : plain(redact(last)),
        JSON.stringify(transcript.usage),
        redact(JSON.stringify(gapsIn(db, source, sessionId, transcript.calls))),
      );
    });
  }

  function advance(one: Open): void {
    if (takeIn(one)) save(one.turn, one.reader.transcript());
  }

  return {
    read(turn) {
      const history = agents.get(turn.source)?.history;
      if (history === undefined) return;
      const key = `${turn.source}\0${turn.sessionId}\0${turn.transcriptPath}`;
      const one = open.get(key) ?? { turn, reader: history.readTranscript(), offset: 0, rest: '' };
      open.delete(key);
      open.set(key, one);
      const oldest = open.size > REMEMBERED ? open.keys().next() : null;
      if (oldest && !oldest.done) open.delete(oldest.value);
      advance(one);
    },
    readOn() {
      for (const one of open.values()) advance(one);
    },
  };
}

/** Reads what is new; false when there is nothing, or no file (any more). */
function takeIn(one: Open): boolean {
  let file: number;
  try {
    file = openSync(one.turn.transcriptPath, 'r');
  } catch {
    return false;
  }
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
    // Another program's file: it may go away or be cut while it is read.
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
    // A line that is no JSON tells nothing.
  }
}
