import { isKnownWord, STDIN_OPTIONS } from './commands/programs.ts';
import { PGPASS_PORTS } from './formats/password-lines.ts';
import type { Form } from './forms/form.ts';
import { FORMS } from './forms/token-forms.ts';
import { FOREIGN_ENDS } from './names/foreign.ts';
import { type NameKind, nameKind } from './names/name-kinds.ts';
import { type Beginning, Beginnings, LETTERS } from './text/beginnings.ts';
import {
  AFTER_NAME,
  ALNUM,
  BACKSLASH,
  CLASSES,
  HEX,
  JOINT,
  NEWLINES,
  QUOTE,
  SPACE,
  WORD,
} from './text/characters.ts';

const BACKSLASH_CODE = 92;
const PERCENT = 37;
/** Prefix before the names of a server and its tool. */
export const MCP = 'mcp__';
const DASH = 45;
const OPEN = 40;

/** What a look at one character says. */
const PLAIN = 0;
const OF_WORD = 1;
/** Means something with certain characters behind it. */
const BY_NEXT = 2;
/** Means something to a command line that is being read. */
const OF_COMMAND = 3;
const ALWAYS = 4;
const ESCAPING = 5;

const KINDS = new Uint8Array(65_536);
for (const code of FOREIGN_ENDS) KINDS[code] = ALWAYS;
for (let code = 0; code < LETTERS; code++) if (((CLASSES[code] ?? 0) & WORD) !== 0) KINDS[code] = OF_WORD;
for (const sign of `|;&<${NEWLINES}`) KINDS[sign.charCodeAt(0)] = OF_COMMAND;
KINDS[27] = ALWAYS;
KINDS[BACKSLASH_CODE] = ESCAPING;
KINDS[PERCENT] = ESCAPING;

/** What is worth a look by how it begins: secrets by their forms, and signs before what may be one. */
export const BEGINNINGS: Beginnings = new Beginnings([
  ...FORMS.map(beginningOf),
  ...[
    ':/',
    ':\\',
    ...PGPASS_PORTS.map((port) => `:${port}`),
    '.eyJ',
    '@tcp(',
    '@unix(',
    '[redacted',
    MCP,
  ].map((text) => ({ text, before: 0, alone: false, behind: 0, until: 0 })),
]);
for (let code = 0; code < LETTERS; code++)
  if (KINDS[code] === PLAIN && BEGINNINGS.has(code)) KINDS[code] = BY_NEXT;

/** Letters that `--password-stdin` and the like begin with. */
const STDIN_LETTERS = new Uint8Array(LETTERS);
for (const option of STDIN_OPTIONS) STDIN_LETTERS[option.charCodeAt(2)] = 1;

/** Where the name ends that the newest look has stopped at, if no secret by its form begins in it; else -1. */
let nameEnd = -1;

export function endOfFoundName(): number {
  return nameEnd;
}

/** What that name says of its value; null if it says nothing, or was not asked. */
let foundKind: NameKind | null = null;

export function kindOfFoundName(): NameKind | null {
  return foundKind;
}

/**
 * Behind the words and signs that say nothing, which are nearly all of any text: the place of the next name or sign
 * that is worth a look. One loop over numbers, because this is done for every character that is stored.
 *
 * @param idle no command line is being read whose options or end matter
 */
export function behindPlain(codes: Uint16Array, from: number, length: number, idle: boolean): number {
  nameEnd = -1;
  foundKind = null;
  if (from > 0 && KINDS[codes[from - 1] ?? 0] === ESCAPING && KINDS[codes[from] ?? 0] === OF_WORD)
    return from;
  let at = from;
  while (at < length) {
    const code = codes[at] ?? 0;
    const kind = KINDS[code] ?? 0;
    if (kind === OF_WORD) {
      const end = behindName(codes, at, length, idle);
      if (end < 0) return at;
      at = end;
    } else if (kind === PLAIN) at += 1;
    else if (kind === ESCAPING) {
      const behind = behindEscape(codes, at, idle);
      if (behind < 0) return at + 1;
      at = behind;
    } else if (kind === BY_NEXT ? BEGINNINGS.mayBe(codes, at) : kind === ALWAYS || !idle) return at;
    else at += 1;
  }
  return at;
}

/** Behind the words joined by `-` and `.` that begin here; -1 if they are worth a look. */
function behindName(codes: Uint16Array, start: number, length: number, idle: boolean): number {
  let at = start;
  for (;;) {
    if (BEGINNINGS.mayBe(codes, at)) return -1;
    do at++;
    while (KINDS[codes[at] ?? 0] === OF_WORD);
    if (((CLASSES[codes[at] ?? 0] ?? 0) & JOINT) === 0 || KINDS[codes[at + 1] ?? 0] !== OF_WORD) break;
    if (BEGINNINGS.mayBe(codes, at)) return -1;
    at += 1;
  }
  if (at < length && (start === 0 || !isOption(codes, start, idle)) && saysNothing(codes, start, at))
    return at;
  nameEnd = at;
  return -1;
}

/** Whether the name is an option that a command line may know. */
function isOption(codes: Uint16Array, start: number, idle: boolean): boolean {
  if (codes[start - 1] !== DASH) return false;
  return !idle || (codes[start - 2] === DASH && STDIN_LETTERS[codes[start] ?? 0] === 1);
}

function saysNothing(codes: Uint16Array, start: number, end: number): boolean {
  const bits = CLASSES[codes[end] ?? 0] ?? 0;
  if ((bits & AFTER_NAME) === 0) return true;
  if (start > 0 && (codes[start - 1] ?? 0) >= LETTERS) return false;
  foundKind = nameKind(codes, start, end);
  if (foundKind !== null) return false;
  // `VALUES(` too.
  return (
    ((bits & (QUOTE | BACKSLASH | SPACE)) === 0 && codes[end] !== OPEN) || !isKnownWord(codes, start, end)
  );
}

/** Behind the escape of JSON or of a URL that stands here; -1 if it is worth a look. */
function behindEscape(codes: Uint16Array, at: number, idle: boolean): number {
  const letter = codes[at + 1] ?? 0;
  if (codes[at] === PERCENT) {
    const digits = (CLASSES[letter] ?? 0) & (CLASSES[codes[at + 2] ?? 0] ?? 0) & HEX;
    return digits === 0 ? at + 1 : -1;
  }
  if (KINDS[letter] !== OF_WORD) return at + 1;
  // `\n`, `\r`
  if ((letter === 110 || letter === 114) && !idle) return -1;
  if (letter === 117 || BEGINNINGS.mayBe(codes, at + 1)) return -1;
  return ESCAPES[letter] === 1 ? at + 2 : at + 1;
}

/** Letters that are not part of the word behind them: `\n`, `\r`, `\t`, `\b`, `\f`. */
const ESCAPES = new Uint8Array(65_536);
for (const letter of 'nrtbf') ESCAPES[letter.charCodeAt(0)] = 1;

function beginningOf({ prefix, anchor, alone, before, required }: Form): Beginning {
  const lead = anchor > 0 ? (CLASSES[prefix.charCodeAt(anchor - 1)] ?? 0) & ALNUM : (before?.bits ?? 0);
  const isShort = prefix.length - anchor <= 2;
  return {
    text: prefix.slice(anchor),
    before: lead,
    alone,
    behind: isShort ? (required?.bits ?? 0) : 0,
    until: isShort ? (required?.at ?? 0) - anchor : 0,
  };
}
