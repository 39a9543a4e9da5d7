import {
  addTokens,
  NO_TOKENS,
  type TokenUsage,
  type Transcript,
  type TranscriptCall,
  type TranscriptReader,
  type TranscriptTurn,
} from '../history.ts';
import { isObject, type Json, listAt, numberAt, objectAt, parsed, textAt, timeAt } from '../loose-json.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const SHELLS = new Set(['exec_command', 'shell', 'local_shell']);
/** Scripts that call tools: what they call is told by itself, and only that is a call. */
const CONTAINERS = new Set(['exec']);
const EXIT_CODE = /(?:^|\n)(?:Process exited with code|Exit code:) (-?\d+)/;

/** A rollout file: the raw items of the conversation, and events about them (0.166.0). */
export function readTranscript(): TranscriptReader {
  const turns: Writable<TranscriptTurn>[] = [];
  const calls = new Map<string, Writable<TranscriptCall>>();
  const usage: Record<string, TokenUsage> = {};
  let model = 'unknown';
  let at: number | null = null;

  function event(payload: Json): void {
    const turn = turns.at(-1);
    switch (payload.type) {
      case 'item_completed':
        item(objectAt(payload, 'item') ?? {});
        break;
      case 'user_message':
        begin(textAt(payload, 'message') ?? '');
        break;
      case 'task_complete': {
        const said = textAt(payload, 'last_agent_message');
        if (turn && said) turn.message = said;
        break;
      }
      case 'turn_aborted':
        if (turn) turn.interrupted = true;
        break;
    }
  }

  function begin(prompt: string): void {
    turns.push({ prompt, message: null, interrupted: false, usage: NO_TOKENS });
  }

  function item(done: Json): void {
    const turn = turns.at(-1);
    const text = listAt(done, 'content').map((part) => textAt(part, 'text') ?? '');
    if (done.type === 'UserMessage') begin(text.join('\n'));
    if (done.type === 'AgentMessage' && turn) turn.message = text.join('\n');
    if (done.type === 'CommandExecution') ran(done);
  }

  /** Commands of scripts are nowhere else in the file. */
  function ran(done: Json): void {
    const id = textAt(done, 'id') ?? '';
    const code = typeof done.exit_code === 'number' ? done.exit_code : null;
    const words = listAt(done, 'command');
    const call = calls.get(id) ?? {
      id,
      nativeName: 'exec_command',
      input: { cmd: words.at(-1) ?? '' },
      startedAt: at,
      outcome: 'unknown',
      exitCode: null,
    };
    call.exitCode = code;
    if (code !== null) call.outcome = code === 0 ? 'ok' : 'failed';
    calls.set(id, call);
  }

  function response(payload: Json): void {
    const id = textAt(payload, 'call_id');
    if (id === null) return;
    const { type } = payload;
    const nativeName = textAt(payload, 'name') ?? '';
    if ((type === 'function_call' || type === 'custom_tool_call') && !CONTAINERS.has(nativeName)) {
      const input =
        type === 'function_call' ? parsed(textAt(payload, 'arguments')) : { input: payload.input };
      const server = textAt(payload, 'namespace');
      const full = server === null ? nativeName : `${server}__${nativeName}`;
      calls.set(id, { id, nativeName: full, input, startedAt: at, outcome: 'unknown', exitCode: null });
    }
    const call = calls.get(id);
    if (call === undefined || !(type === 'function_call_output' || type === 'custom_tool_call_output'))
      return;
    const code = EXIT_CODE.exec(textAt(payload, 'output') ?? '')?.[1];
    if (code === undefined) return;
    call.outcome = code === '0' ? 'ok' : 'failed';
    if (SHELLS.has(call.nativeName)) call.exitCode = Number(code);
  }

  return {
    add(line) {
      const payload = objectAt(line, 'payload');
      if (payload === null || !isObject(line)) return;
      at = timeAt(line, 'timestamp');
      if (line.type === 'event_msg') event(payload);
      else if (line.type === 'response_item') response(payload);
      else if (line.type === 'turn_context') model = textAt(payload, 'model') ?? model;
      else if (line.type === 'token_usage_record') {
        const used = tokens(objectAt(payload, 'usage') ?? {});
        usage[model] = addTokens(usage[model] ?? NO_TOKENS, used);
        const turn = turns.at(-1);
        if (turn) turn.usage = addTokens(turn.usage, used);
      }
    },
    transcript: (): Transcript => ({
      turns: turns.map((turn) => ({ ...turn })),
      calls: [...calls.values()].map((call) => ({ ...call })),
      usage: { ...usage },
      // The client states no price.
      costUsd: null,
    }),
  };
}

function tokens(usage: Json): TokenUsage {
  const cacheRead = numberAt(usage, 'cached_input_tokens');
  return {
    // What came from the cache is counted as input too.
    input: numberAt(usage, 'input_tokens') - cacheRead,
    output: numberAt(usage, 'output_tokens'),
    cacheRead,
    cacheWrite: numberAt(usage, 'cache_write_input_tokens'),
    reasoning: numberAt(usage, 'reasoning_output_tokens'),
  };
}
