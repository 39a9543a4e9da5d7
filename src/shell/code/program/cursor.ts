import type { Call } from '../../call.ts';
import type { Language } from '../language.ts';
import type { Token, Tokens } from './tokens.ts';
import type { Body, Value } from './value.ts';

/** State while one program text is read: the values of its names, and the remaining budget. */
export interface Reading {
  readonly call: Call;
  readonly language: Language;
  /** Values of names and members: `x`, `self.x`. */
  readonly names: Map<string, Value>;
  /** Names of lists that get more items after they are created. */
  readonly growing: ReadonlySet<string>;
  /** What is known of names that the program did not define. */
  readonly paths: Map<string, Value>;
  readonly functions: Map<string, Body>;
  /** All functions, by their text and starting position. */
  readonly bodies: Map<Tokens, Map<number, Body>>;
  /** Texts that the program builds, for callers that look for names in them. */
  readonly said: Set<string>;
  /** Return values of the function being read. */
  returned: Value[];
  steps: number;
  /** Depth of nested function calls. */
  calls: number;
  /** Indentation of the current line. */
  indent: number;
  depth: number;
  /** Start of the current branch, and for each name the branch in which it was set. */
  block: number;
  readonly blocks: Map<string, number>;
  /** True if the program has loops. */
  loops: boolean;
  /** True if the framework's shell runs it, which knows models by name. */
  readonly framework: boolean;
  /** True if the program only opens an in-memory database. */
  readonly inMemory: boolean;
  /** How deep this text is nested in texts run as code, and how to read another one. */
  readonly evaluations: number;
  readonly evaluated: Set<string>;
  readonly scan: (code: string) => void;
  /** True if it runs a completely unknown line. */
  runsAnything: boolean;
  /** True if part of the text was not read. */
  isCut: boolean;
}

/** A position in a text. With `inside`, line ends are ignored because brackets are open. */
export interface Cursor {
  readonly tokens: Tokens;
  at: number;
  readonly to: number;
  readonly inside: boolean;
}

export function cursorIn(tokens: Tokens, from: number, to: number, inside: boolean): Cursor {
  return { tokens, at: from, to: Math.min(to, tokens.list.length), inside };
}

/** Counts a step; false if the budget is spent. */
export function spend(reading: Reading, steps = 1): boolean {
  reading.steps -= steps;
  if (reading.steps <= 0) reading.isCut = true;
  return reading.steps > 0;
}

/** The token `places` after the cursor. */
export function ahead(cursor: Cursor, places = 0): Token | undefined {
  const at = cursor.at + places;
  return at < cursor.to ? cursor.tokens.list[at] : undefined;
}

/** The next token after insignificant line ends. */
export function peek(cursor: Cursor): Token | undefined {
  if (cursor.inside) skipLines(cursor);
  return ahead(cursor);
}

export function skipLines(cursor: Cursor): void {
  while (ahead(cursor)?.kind === 'line') cursor.at++;
}

export function isSign(token: Token | undefined, text: string): boolean {
  return token?.kind === 'sign' && token.text === text;
}

export function isWord(token: Token | undefined, text: string): boolean {
  return token?.kind === 'name' && token.text === text;
}

/** Position of the matching closing bracket, or the end of the cursor. */
export function closing(cursor: Cursor, at: number): number {
  return Math.min(cursor.tokens.closing.get(at) ?? cursor.to, cursor.to);
}
