import type { Call } from '../../call.ts';
import type { Language } from '../language.ts';
import type { Token, Tokens } from './tokens.ts';
import type { Body, Value } from './value.ts';

/** One program text under way: what its names stand for so far, and what is left of the budget. */
export interface Reading {
  readonly call: Call;
  readonly language: Language;
  /** Values of names, and of parts of things: `x`, `self.x`. */
  readonly names: Map<string, Value>;
  /** Names of lists that get more items after they are made. */
  readonly growing: ReadonlySet<string>;
  /** What is known of names that the program has not given. */
  readonly paths: Map<string, Value>;
  readonly functions: Map<string, Body>;
  /** All functions, by the text and the place where they begin. */
  readonly bodies: Map<Tokens, Map<number, Body>>;
  /** Texts that it puts together, for those who look for names in it. */
  readonly said: Set<string>;
  /** What the function returns that is being read. */
  returned: Value[];
  steps: number;
  /** How many functions are being read inside each other. */
  calls: number;
  /** How far the line is indented. */
  indent: number;
  depth: number;
  /** Where the branch begins that is being read, and for each name the one in which it was set. */
  block: number;
  readonly blocks: Map<string, number>;
  /** It has loops. */
  loops: boolean;
  /** It is given to the shell of a framework, which knows the models by their names. */
  readonly framework: boolean;
  /** The only database that the program opens is gone with it. */
  readonly inMemory: boolean;
  /** In how many texts that are run as code this one stands, and how to read another one. */
  readonly evaluations: number;
  readonly evaluated: Set<string>;
  readonly scan: (code: string) => void;
  /** It runs a line of which nothing is known. */
  runsAnything: boolean;
  /** Not all of it was read. */
  isCut: boolean;
}

/** A place in a text; `inside` of brackets, the end of a line ends nothing. */
export interface Cursor {
  readonly tokens: Tokens;
  at: number;
  readonly to: number;
  readonly inside: boolean;
}

export function cursorIn(tokens: Tokens, from: number, to: number, inside: boolean): Cursor {
  return { tokens, at: from, to: Math.min(to, tokens.list.length), inside };
}

/** Counts a step; false when there are none left. */
export function spend(reading: Reading, steps = 1): boolean {
  reading.steps -= steps;
  if (reading.steps <= 0) reading.isCut = true;
  return reading.steps > 0;
}

/** The piece that many places on, whatever it is. */
export function ahead(cursor: Cursor, places = 0): Token | undefined {
  const at = cursor.at + places;
  return at < cursor.to ? cursor.tokens.list[at] : undefined;
}

/** The next piece, behind the lines that end nothing. */
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

/** The bracket that closes the one at a place, or where the cursor ends. */
export function closing(cursor: Cursor, at: number): number {
  return Math.min(cursor.tokens.closing.get(at) ?? cursor.to, cursor.to);
}
