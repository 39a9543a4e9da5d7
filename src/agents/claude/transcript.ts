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

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** What the client writes in place of an answer that the user cut short (2.1.325). */
const INTERRUPTED = /^\[Request interrupted by user/;
const EXIT_CODE = /^(?:Error: )?Exit code (\d+)/;

/**
 * One line a block: the blocks of one message share its id, and each line repeats the usage of the whole message, so
 * that usage counts once per id.
 */
export function readTranscript(): TranscriptReader {
  const turns: Writable<TranscriptTurn>[] = [];
  const calls = new Map<string, Writable<TranscriptCall>>();
  const usageOf = new Map<string, { readonly model: string; readonly turn: number; usage: TokenUsage }>();
  let costUsd: number | null = null;

  function user(line: Json): void {
    const content = objectAt(line, 'message')?.content;
    const blocks = Array.isArray(content) ? content : [];
    const text =
      typeof content === 'string' ? content : blocks.map((block) => textAt(block, 'text') ?? '').join('\n');
    if (INTERRUPTED.test(text.trimStart())) {
      const turn = turns.at(-1);
      if (turn) turn.interrupted = true;
      return;
    }
    for (const block of blocks) if (textAt(block, 'type') === 'tool_result') finish(block);
    const isResult = blocks.some((block) => textAt(block, 'type') === 'tool_result');
    if (!isResult && line.isMeta !== true && text !== '') {
      turns.push({ prompt: text, message: null, interrupted: false, usage: NO_TOKENS });
    }
  }

  function finish(block: unknown): void {
    const call = calls.get(textAt(block, 'tool_use_id') ?? '');
    if (!call) return;
    const failed = isObject(block) && block.is_error === true;
    const content = isObject(block) ? block.content : null;
    const said = typeof content === 'string' ? content : (textAt(listAt(block, 'content')[0], 'text') ?? '');
    call.outcome = failed ? 'failed' : 'ok';
    const code = EXIT_CODE.exec(said)?.[1];
    if (isCommand(call)) call.exitCode = failed ? (code === undefined ? null : Number(code)) : 0;
  }

  function assistant(line: Json): void {
    const message = objectAt(line, 'message');
    for (const block of listAt(message, 'content')) {
      if (textAt(block, 'type') === 'text') say(textAt(block, 'text') ?? '');
      if (textAt(block, 'type') === 'tool_use') start(block, timeAt(line, 'timestamp'));
    }
    const id = textAt(message, 'id');
    const usage = objectAt(message, 'usage');
    if (id === null || usage === null) return;
    const model = textAt(message, 'model') ?? 'unknown';
    // The last line of a message has its final numbers.
    usageOf.set(id, { model, turn: turns.length - 1, usage: tokens(usage) });
  }

  function say(text: string): void {
    const turn = turns.at(-1);
    if (turn && text !== '') turn.message = text;
  }

  function start(block: unknown, startedAt: number | null): void {
    const id = textAt(block, 'id');
    if (id === null) return;
    const nativeName = textAt(block, 'name') ?? '';
    calls.set(id, {
      id,
      nativeName,
      input: objectAt(block, 'input') ?? {},
      startedAt,
      outcome: 'unknown',
      exitCode: null,
    });
  }

  return {
    add(line) {
      // A subagent has a transcript of its own; lines of it in the main one are copies.
      if (!isObject(line) || line.isSidechain === true) return;
      if (line.type === 'user') user(line);
      else if (line.type === 'assistant') assistant(line);
      else if (line.type === 'cost-state') costUsd = numberAt(line, 'totalCostUSD');
    },
    transcript(): Transcript {
      const usage: Record<string, TokenUsage> = {};
      const perTurn = turns.map((turn) => ({ ...turn }));
      for (const { model, turn, usage: used } of usageOf.values()) {
        usage[model] = addTokens(usage[model] ?? NO_TOKENS, used);
        const own = perTurn[turn];
        if (own) own.usage = addTokens(own.usage, used);
      }
      return { turns: perTurn, calls: [...calls.values()].map((call) => ({ ...call })), usage, costUsd };
    },
  };
}

function isCommand({ nativeName }: TranscriptCall): boolean {
  return nativeName === 'Bash' || nativeName === 'PowerShell';
}

function tokens(usage: Json): TokenUsage {
  return {
    input: numberAt(usage, 'input_tokens'),
    output: numberAt(usage, 'output_tokens'),
    cacheRead: numberAt(usage, 'cache_read_input_tokens'),
    cacheWrite: numberAt(usage, 'cache_creation_input_tokens'),
    reasoning: numberAt(objectAt(usage, 'output_tokens_details'), 'thinking_tokens'),
  };
}
