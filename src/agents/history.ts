import type { ToolOutcome, ToolResult } from '../model/tools.ts';

/** What a call did to the text of one file, as far as the agent tells. */
export interface FileChange {
  readonly path: string;
  /** What stood there; null when that is not told, '' when there was nothing. */
  readonly before: string | null;
  /** What stands there now; null when that is not told, '' when nothing is left. */
  readonly after: string | null;
}

export interface TokenUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
}

/** A tool call that the transcript has. */
export interface TranscriptCall {
  readonly id: string | null;
  readonly nativeName: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** In ms since the epoch; null when that is not told. */
  readonly startedAt: number | null;
  readonly outcome: ToolOutcome;
  /** Null for calls that are not commands, and where the transcript does not tell. */
  readonly exitCode: number | null;
}

export interface TranscriptTurn {
  readonly prompt: string;
  /** The last thing the model said; null while it has said nothing. */
  readonly message: string | null;
  readonly interrupted: boolean;
  readonly usage: TokenUsage;
}

/** What an agent itself wrote down of a session. */
export interface Transcript {
  readonly turns: readonly TranscriptTurn[];
  readonly calls: readonly TranscriptCall[];
  readonly usage: Readonly<Record<string, TokenUsage>>;
  /** As the client states it; null where it states none. */
  readonly costUsd: number | null;
}

/** Reads a transcript line by line, as it grows. */
export interface TranscriptReader {
  /** One line, parsed. What it does not know it passes over. */
  add(line: unknown): void;
  transcript(): Transcript;
}

/** What only the agent's own folder can tell of what happened. */
export interface AgentHistory {
  changes(tool: ToolResult): readonly FileChange[];
  /** How many things a search found; null when that is not told. */
  found(tool: ToolResult): number | null;
  /** What a call printed or returned, as text. */
  output(tool: ToolResult): string | null;
  readTranscript(): TranscriptReader;
  /** Arguments with which the client's own program takes in, and drops, an MCP server for this user. */
  readonly server: {
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
