import { type Arguments, argumentList, bracketed } from './brackets.ts';
import { ahead, type Cursor, cursorIn, isSign, peek, type Reading } from './cursor.ts';
import { textIn } from './expressions.ts';
import { blockHere } from './functions.ts';
import { invoke, settle } from './invoke.ts';
import { itemsOf } from './loops.ts';
import type { Token } from './tokens.ts';
import { each, known, listOf, madeFrom, NOTHING, textOf, type Value } from './value.ts';
import { memberOf, nameOf } from './variables.ts';

/** A value with its origin: the variable or object that holds it, and its name there. */
export interface Ref {
  readonly value: Value;
  readonly place: string | null;
  readonly owner: Value | null;
  readonly name: string;
}

export const refTo = (value: Value): Ref => ({ value, place: null, owner: null, name: '' });
const NO_ARGUMENTS: Arguments = { list: [], named: new Map() };

/** A line that the language runs in a shell. */
export function runShell(reading: Reading, line: Value): Value {
  const callee = { ...refTo({ ...NOTHING, path: '`' }), name: '`' };
  return invoke(reading, callee, { list: [line], named: new Map() });
}

/** What follows a value: members, calls, indices. */
export function postfix(reading: Reading, cursor: Cursor, first: Ref): Ref {
  let now = first;
  for (let next = step(reading, cursor, now); next !== null; next = step(reading, cursor, now)) now = next;
  const value = settle(reading, now.value);
  return value === now.value ? now : { ...now, value };
}

function step(reading: Reading, cursor: Cursor, now: Ref): Ref | null {
  const { language } = reading;
  const link = linkAt(reading, cursor);
  if (link > 0) {
    cursor.at += link;
    return member(reading, cursor, now);
  }
  const token = peek(cursor);
  if (token === undefined || token.kind === 'line') return null;
  const isOwn = !token.spaced || !language.bareCalls;
  const isCalled = now.name !== '' || now.value.body !== undefined || now.owner !== null;
  if (isSign(token, '(') && isCalled && (isOwn || !reading.names.has(nameOf(now.name)))) {
    const given = bracketed(reading, cursor, cursor.at);
    return called(reading, cursor, now, given);
  }
  if (isSign(token, '[') && isOwn) return indexed(reading, cursor, now);
  if (isSign(token, '{') && !token.spaced && language.sigils && /^\$/.test(now.place ?? ''))
    return indexed(reading, cursor, now);
  if (token.kind === 'text' && !token.spaced && isCalled && language.inserts === 'dollar') {
    cursor.at++;
    const given = textIn(reading, token);
    // Bun's shell and zx: $`rm -rf x`.
    if (now.name === '$') return refTo(runShell(reading, given));
    return called(reading, cursor, now, { list: [given], named: new Map() });
  }
  if (isBare(reading, cursor, now, token)) {
    const given = argumentList(reading, cursorIn(cursor.tokens, cursor.at, cursor.to, false), cursor);
    return called(reading, cursor, now, given);
  }
  if (token.kind === 'sign' && /^(?:\+\+|--|!)$/.test(token.text) && !token.spaced) {
    cursor.at++;
    return now;
  }
  return null;
}

/** Number of tokens to the next member; 0 if there is none. */
function linkAt({ language }: Reading, cursor: Cursor): number {
  const places = ahead(cursor)?.kind === 'line' ? 1 : 0;
  const token = ahead(cursor, places);
  if (token?.kind !== 'sign') return 0;
  const { text } = token;
  if (text === '.' || text === '?.') return language.arrows ? 0 : places + 1;
  if (text === '->' || text === '\\')
    return language.arrows && !(text === '\\' && language.sigils) ? places + 1 : 0;
  return text === '::' || text === '&.' || text === '?->' ? places + 1 : 0;
}

function member(reading: Reading, cursor: Cursor, now: Ref): Ref {
  const token = ahead(cursor);
  if (token === undefined) return now;
  if (isSign(token, '(')) return called(reading, cursor, now, bracketed(reading, cursor, cursor.at));
  if (isSign(token, '[') || isSign(token, '{')) return indexed(reading, cursor, now);
  if (token.kind !== 'name' && token.kind !== 'text') return now;
  cursor.at++;
  const { language } = reading;
  const name = language.arrows && token.text.startsWith('$') ? dynamicName(reading, token.text) : token.text;
  const place = placeBelow(now.place, name);
  const next: Ref = { value: memberOf(reading, now.value, now.place, name), place, owner: now.value, name };
  const follows = ahead(cursor);
  const isCall =
    language.bareCalls &&
    language.autoCalls === true &&
    !isSign(follows, '(') &&
    !isSign(follows, '=') &&
    !isSign(follows, '::') &&
    !/^[A-Z]/.test(name);
  return isCall && !(follows && isBare(reading, cursor, next, follows))
    ? called(reading, cursor, next, NO_ARGUMENTS)
    : next;
}

const LONGEST_PLACE = 200;

function placeBelow(place: string | null, name: string): string | null {
  return place === null || place.length > LONGEST_PLACE ? null : `${place}.${name}`;
}

function dynamicName(reading: Reading, name: string): string {
  const value = reading.names.get(name)?.text ?? name;
  return /^\w+$/.test(value) ? value : name;
}

const NO_ARGUMENT =
  /^(?:if|unless|while|until|do|and|or|not|then|in|rescue|x|eq|ne|lt|gt|le|ge|cmp|for|foreach|end|else|elsif|is|as|from|of|instanceof)$/;

/** True if the rest of the line is the argument of a name: `system "ls"`, `unlink $x`. */
function isBare(reading: Reading, cursor: Cursor, now: Ref, token: Token): boolean {
  if (!reading.language.bareCalls || now.name === '' || token.kind === 'line') return false;
  if (now.owner === null && (/^[$@%]/.test(now.name) || reading.names.has(now.name))) return false;
  if (token.kind === 'text') return true;
  if (token.kind === 'name')
    return (token.spaced || /^[$@%]/.test(token.text)) && !NO_ARGUMENT.test(token.text);
  if (!token.spaced) return false;
  if (token.kind === 'number') return true;
  const next = ahead(cursor, 1);
  return (
    /^(?:\[|->|::|\\)$/.test(token.text) ||
    (/^(?:\*|&|<|-|:)$/.test(token.text) && next !== undefined && !next.spaced && next.kind !== 'number')
  );
}

/** A call, with the block that follows it. */
function called(reading: Reading, cursor: Cursor, now: Ref, given: Arguments): Ref {
  const block = blockHere(reading, cursor);
  const args = block === null ? given : { ...given, list: [...given.list, { ...NOTHING, body: block }] };
  return { value: invoke(reading, now, args), place: null, owner: now.value, name: '' };
}

function indexed(reading: Reading, cursor: Cursor, now: Ref): Ref {
  const { at } = cursor;
  const [index, ...rest] = indicesAt(reading, cursor, at);
  const key = index?.text ?? '';
  // In Ruby, `Dir['x/*']` lists files.
  if (index !== undefined && now.value.path === 'Dir') return { ...refTo(index), owner: now.value };
  if (rest.length > 0)
    return {
      ...refTo(each(now.value, (value) => sliced(value, [index ?? NOTHING, ...rest]))),
      owner: now.value,
    };
  const item = index?.number === undefined ? undefined : itemsOf(now.value)?.at(index.number);
  if (item !== undefined) return { ...refTo(item), owner: now.value };
  if (/^[\w.@-]+$/.test(key) && index?.number === undefined) {
    const place = placeBelow(now.place, key);
    return { value: memberOf(reading, now.value, now.place, key), place, owner: now.value, name: key };
  }
  const { thing } = now.value;
  const value = { ...madeFrom(now.value), ...(thing && { thing }) };
  return { value, place: null, owner: now.value, name: '' };
}

/** The values between `[` and `]`; a slice separates them with colons. */
function indicesAt(reading: Reading, cursor: Cursor, open: number): readonly Value[] {
  const { tokens } = cursor;
  const to = Math.min(tokens.closing.get(open) ?? cursor.to, cursor.to);
  const parts: Value[] = [];
  let from = open + 1;
  for (let at = from; at <= to && to - open < MAX_SLICE; at++) {
    const token = tokens.list[at];
    if (at < to && !isSign(token, ':') && !isSign(token, '::')) continue;
    if (at === to && parts.length === 0) break;
    const [value] = at > from ? argumentList(reading, cursorIn(tokens, from, at, true)).list : [];
    parts.push(value ?? known(''));
    if (isSign(token, '::') && at < to) parts.push(known(''));
    from = at + 1;
  }
  if (parts.length > 0) {
    cursor.at = Math.min(to + 1, cursor.to);
    return parts;
  }
  const { list } = bracketed(reading, cursor, open);
  const [only] = list;
  // In Perl, a bare word between braces is a text.
  const bare = list.length === 1 && only?.path !== undefined && to - open === 2 ? only.path : null;
  return bare !== null && isSign(tokens.list[open], '{') ? [known(bare)] : list.slice(0, 1);
}

const MAX_SLICE = 12;

/** `text[a:b:c]`. */
function sliced(value: Value, [from, to, step]: readonly Value[]): Value {
  const numbers = [from, to, step].map((part) =>
    part === undefined || part.text === '' ? null : (part.number ?? Number(part.text)),
  );
  const items = itemsOf(value);
  if (items === undefined || numbers.some((number) => number !== null && Number.isNaN(number)))
    return madeFrom(value);
  const [start, end, by] = numbers;
  const isBackwards = by !== undefined && by !== null && by < 0;
  const own = isBackwards ? items.toReversed() : items.slice(start ?? 0, end ?? undefined);
  const every = Math.abs(by ?? 1) || 1;
  const kept = own.filter((_, at) => at % every === 0);
  if (value.items) return listOf(kept);
  const text = textOf(kept.map((one) => one.text).join(''), value);
  return isBackwards ? { ...text, decoded: true } : text;
}
