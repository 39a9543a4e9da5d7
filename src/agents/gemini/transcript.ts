import {
  addTokens,
  NO_TOKENS,
  type TokenUsage,
  type Transcript,
  type TranscriptCall,
  type TranscriptReader,
  type TranscriptTurn,
} from '../history.ts';
import { isObject, type Json, listAt, numberAt, objectAt, textAt, timeAt } from '../loose-json.ts';
import { exitCodeOf } from './outcome.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A log to replay: a record of an id that was there replaces it, and there are patches, checkpoints and rewinds. */
export function readTranscript(): TranscriptReader {
  let messages = new Map<string, Json>();

  function add(record: Json): void {
    const patch = objectAt(record, '$set');
    if (patch !== null) {
      if (!Array.isArray(patch.messages)) return;
      messages = new Map();
      for (const message of patch.messages) if (isObject(message)) add(message);
      return;
    }
    const rewind = textAt(record, '$rewindTo');
    if (rewind !== null) {
      const kept = [...messages];
      const at = kept.findIndex(([id]) => id === rewind);
      messages = new Map(at < 0 ? [] : kept.slice(0, at));
      return;
    }
    const id = textAt(record, 'id');
    if (id !== null && textAt(record, 'type') !== null) messages.set(id, record);
  }

  return {
    add: (line) => {
      if (isObject(line)) add(line);
    },
    transcript: () => replayed([...messages.values()]),
  };
}

function replayed(messages: readonly Json[]): Transcript {
  const turns: Writable<TranscriptTurn>[] = [];
  const calls: TranscriptCall[] = [];
  const usage: Record<string, TokenUsage> = {};
  for (const message of messages) {
    const turn = turns.at(-1);
    if (message.type === 'user') {
      const prompt = textOf(message.content);
      // Results of tools, and what the client says of itself, are messages of the user too (0.61.0).
      if (prompt === '' || prompt.startsWith('<session_context>')) continue;
      turns.push({ prompt, message: null, interrupted: false, usage: NO_TOKENS });
    } else if (message.type === 'gemini') {
      const said = textOf(message.content);
      const used = tokens(objectAt(message, 'tokens'));
      const model = textAt(message, 'model') ?? 'unknown';
      usage[model] = addTokens(usage[model] ?? NO_TOKENS, used);
      if (turn) {
        if (said !== '') turn.message = said;
        turn.usage = addTokens(turn.usage, used);
      }
      for (const call of listAt(message, 'toolCalls')) {
        calls.push(callOf(call));
        if (turn && textAt(call, 'status') === 'cancelled') turn.interrupted = true;
      }
    } else if (turn && message.type === 'info' && /^Request cancelled/.test(textOf(message.content))) {
      turn.interrupted = true;
    }
  }
  // The client states no price.
  return { turns, calls, usage, costUsd: null };
}

function callOf(call: unknown): TranscriptCall {
  const status = textAt(call, 'status');
  const response = objectAt(objectAt(listAt(call, 'result')[0], 'functionResponse'), 'response');
  const nativeName = textAt(call, 'name') ?? '';
  const code = nativeName === 'run_shell_command' ? exitCodeOf(textAt(response, 'output') ?? '') : null;
  const failed = status === 'error' || (code !== null && code !== 0);
  return {
    // Its own id of the call, which hooks are not told (0.61.0).
    id: textAt(call, 'id'),
    nativeName,
    input: objectAt(call, 'args') ?? {},
    startedAt: timeAt(call, 'timestamp'),
    outcome: failed
      ? 'failed'
      : status === 'success'
        ? 'ok'
        : status === 'cancelled'
          ? 'interrupted'
          : 'unknown',
    exitCode: status === 'success' ? code : null,
  };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content : [content];
  return parts.map((part) => (typeof part === 'string' ? part : (textAt(part, 'text') ?? ''))).join('');
}

function tokens(used: Json | null): TokenUsage {
  const cacheRead = numberAt(used, 'cached');
  return {
    // The client counts what came from its cache as input too.
    input: numberAt(used, 'input') - cacheRead + numberAt(used, 'tool'),
    output: numberAt(used, 'output'),
    cacheRead,
    cacheWrite: 0,
    reasoning: numberAt(used, 'thoughts'),
  };
}
