import { changedLines, type FileChange } from '../../model/changes.ts';
import { isObject } from '../../model/json.ts';
import type { ToolCall, ToolOutcome, ToolResult } from '../../model/tools.ts';
import type { Json } from './loose-json.ts';

export interface TokenUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
}

/** A tool call in the transcript. */
export interface TranscriptCall {
  readonly id: string | null;
  readonly nativeName: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** In ms since the epoch; null when that is not known. */
  readonly startedAt: number | null;
  readonly outcome: ToolOutcome;
  /** Null for calls that are not commands, and where the transcript does not have it. */
  readonly exitCode: number | null;
  /** The output of a call that failed, where hooks do not get it. */
  readonly output?: string;
}

interface TranscriptTurn {
  readonly prompt: string;
  /** In ms since the epoch; null when that is not known. */
  readonly startedAt: number | null;
  /** The last thing the model said; null while it has said nothing. */
  readonly message: string | null;
  readonly interrupted: boolean;
  readonly usage: TokenUsage;
}

/** What the model said, with the calls that it made then. */
interface TranscriptMessage {
  /** All texts of the message. */
  readonly text: string;
  /** Indexes of calls. */
  readonly calls: readonly number[];
}

/** An agent's own record of a session. */
export interface Transcript {
  readonly turns: readonly TranscriptTurn[];
  readonly calls: readonly TranscriptCall[];
  readonly messages: readonly TranscriptMessage[];
  readonly usage: Readonly<Record<string, TokenUsage>>;
  /** As the client states it; null where it states none. */
  readonly costUsd: number | null;
}

/** Reads a transcript line by line, as it grows. */
export interface TranscriptReader {
  /** One line, parsed. Lines of other kinds are skipped. */
  add(line: unknown): void;
  transcript(): Transcript;
}

/** What a search was about beside its pattern. */
interface SearchResult {
  /** Where it looked; null for everywhere. */
  readonly scope: string | null;
  /** How many things it found; null when that is not known. */
  readonly results: number | null;
}

export const NO_SEARCH: SearchResult = { scope: null, results: null };

/** Asks a database of the client, which is opened for reading only. */
export type QueryRows = (sql: string, ...values: readonly string[]) => readonly Json[];

/** What only the agent's own folder can tell of what happened. */
export interface AgentHistory {
  /** What a call that writes changes, or has changed; the response is null before it ran. */
  changes(tool: ToolCall, response: unknown): readonly FileChange[];
  search(tool: ToolResult): SearchResult;
  /** What a call printed or returned, as text. */
  output(tool: ToolResult): string | null;
  readTranscript(): TranscriptReader;
  /** For a transcript that is a database and no lines: all that it has of a session, in its order. */
  records?(query: QueryRows, sessionId: string): readonly unknown[];
  /** For a transcript that is one JSON document and no lines: its records, in their order. */
  document?(document: unknown): readonly unknown[];
  /** Where the client counts tokens for a whole session, and not in the transcript: a JSON file beside it. */
  readonly totals?: {
    path(transcript: string): string;
    read(document: unknown): Readonly<Record<string, TokenUsage>>;
  };
  /** No hook is called after a call that failed, but the transcript has its result. */
  readonly failuresUnreported?: true;
  /** A hook is called for every prompt, so that one that is only in the transcript is a gap. */
  readonly asksAboutPrompts?: true;
  /** Arguments with which the client's own program adds, and removes, an MCP server for this user, where it can. */
  readonly server?: {
    add(name: string, command: readonly string[]): readonly string[];
    remove(name: string): readonly string[];
  };
}

export const NO_TOKENS: TokenUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

export function addTokens(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    reasoning: a.reasoning + b.reasoning,
  };
}

/** Enough to find the place. */
const LINES_AROUND = 3;

/** A change of which both texts, or only the new one, are known. */
export function textChange(path: string, before: string | null, after: string | null): FileChange {
  const lines = after === null ? [] : changedLines(linesOf(before ?? ''), linesOf(after), LINES_AROUND);
  return { path, before, after, lines };
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

interface MessageDraft {
  readonly id: string | null;
  readonly turn: TranscriptTurn;
  text: string;
  readonly calls: string[];
}

/** A transcript while its lines are read. */
export class TranscriptDraft {
  readonly #turns: Writable<TranscriptTurn>[] = [];
  readonly #calls = new Map<string, Writable<TranscriptCall>>();
  readonly #messages: MessageDraft[] = [];
  readonly #usage = new Map<string, { readonly model: string; readonly turn: number; usage: TokenUsage }>();
  /** Null where the client states no price. */
  costUsd: number | null = null;

  startTurn(prompt: string, startedAt: number | null = null): void {
    this.#turns.push({ prompt, startedAt, message: null, interrupted: false, usage: NO_TOKENS });
  }

  /** What the model said last in this turn. Texts with the same id are parts of one message. */
  setMessage(text: string, id: string | null = null): void {
    const turn = this.#turns.at(-1);
    if (!turn || turn.message === text) return;
    const last = this.#messages.at(-1);
    if (last && id !== null && last.turn === turn && last.id === id) last.text += `\n${text}`;
    else this.#messages.push({ id, turn, text, calls: [] });
    turn.message = this.#messages.at(-1)?.text ?? text;
  }

  interruptTurn(): void {
    const turn = this.#turns.at(-1);
    if (turn) turn.interrupted = true;
  }

  addCall(call: TranscriptCall): Writable<TranscriptCall> {
    const added = { ...call };
    const key = call.id ?? `#${this.#calls.size}`;
    this.#calls.set(key, added);
    const said = this.#messages.at(-1);
    if (said && said.turn === this.#turns.at(-1)) said.calls.push(key);
    return added;
  }

  /** A call of which the result comes later, if ever. */
  startCall(call: Omit<TranscriptCall, 'outcome' | 'exitCode' | 'output'>): Writable<TranscriptCall> {
    return this.addCall({ ...call, outcome: 'unknown', exitCode: null });
  }

  call(id: string | null): Writable<TranscriptCall> | undefined {
    return id === null ? undefined : this.#calls.get(id);
  }

  /** Counts tokens for the model and the turn. With a key, later numbers replace those of the same key. */
  addUsage(model: string, usage: TokenUsage, key = `#${this.#usage.size}`): void {
    this.#usage.set(key, { model, turn: this.#turns.length - 1, usage });
  }

  transcript(): Transcript {
    const turns = this.#turns.map((turn) => ({ ...turn }));
    const usage: Record<string, TokenUsage> = {};
    for (const { model, turn: at, usage: used } of this.#usage.values()) {
      usage[model] = addTokens(usage[model] ?? NO_TOKENS, used);
      const turn = turns[at];
      if (turn) turn.usage = addTokens(turn.usage, used);
    }
    const calls = [...this.#calls.values()].map((call) => ({ ...call }));
    const indexes = new Map([...this.#calls.keys()].map((key, index) => [key, index]));
    const messages = this.#messages.map(({ text, calls: keys }) => ({
      text,
      calls: [...new Set(keys)].flatMap((key) => indexes.get(key) ?? []),
    }));
    return { turns, calls, messages, usage, costUsd: this.costUsd };
  }
}

/** A reader that adds each record to the draft as it comes. */
export function transcriptReader(add: (record: Json, draft: TranscriptDraft) => void): TranscriptReader {
  const draft = new TranscriptDraft();
  return {
    add: (record) => {
      if (isObject(record)) add(record, draft);
    },
    transcript: () => draft.transcript(),
  };
}
