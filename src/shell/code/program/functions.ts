import { endOfWords } from './blocks.ts';
import { ahead, type Cursor, closing, cursorIn, isSign, isWord, type Reading, spend } from './cursor.ts';
import { expression } from './expressions.ts';
import { bindAll } from './loops.ts';
import { statements } from './statements.ts';
import type { Tokens } from './tokens.ts';
import { type Body, either, listOf, madeFrom, NOTHING, type Value } from './value.ts';
import { nameOf } from './variables.ts';

/** Reads an anonymous function and moves the cursor past it. */
export function functionHere(reading: Reading, cursor: Cursor): Body | null {
  const token = ahead(cursor);
  if (token === undefined || token.kind === 'text' || token.kind === 'number') return null;
  const { text } = token;
  const from = isWord(token, 'async') ? 1 : 0;
  const first = ahead(cursor, from);
  if (reading.language.inserts === 'dollar') {
    const arrow = isSign(first, '(')
      ? closing(cursor, cursor.at + from) + 1 - cursor.at
      : first?.kind === 'name'
        ? from + 1
        : 0;
    if (arrow > 0 && isSign(ahead(cursor, arrow), '=>')) return arrowFunction(reading, cursor, from, arrow);
  }
  if (token.kind === 'name' && /^(?:lambda|proc)$/.test(text)) return lambda(reading, cursor);
  if (isWord(first, 'function') || (token.kind === 'name' && /^(?:fn|func|sub|fun)$/.test(text)))
    return plainFunction(reading, cursor, from + 1);
  return isSign(token, '->') && reading.language.blocks === 'end' ? stabby(reading, cursor) : null;
}

function arrowFunction(reading: Reading, cursor: Cursor, from: number, arrow: number): Body {
  const open = cursor.at + from;
  const params = isSign(ahead(cursor, from), '(')
    ? parametersIn(reading, cursor.tokens, open + 1, closing(cursor, open))
    : [[ahead(cursor, from)?.text ?? '']];
  cursor.at += arrow + 1;
  return isSign(ahead(cursor), '{') ? braced(reading, cursor, params) : upToEnd(reading, cursor, params);
}

function lambda(reading: Reading, cursor: Cursor): Body | null {
  if (reading.language.blocks !== 'indent') return null;
  const from = cursor.at + 1;
  const end = endOfExpression(reading, cursor, from, ':');
  cursor.at = end + 1;
  return upToEnd(reading, cursor, parametersIn(reading, cursor.tokens, from, end));
}

/** `function (a, b) { … }`, `sub { … }`, `fn($x) => …`. */
function plainFunction(reading: Reading, cursor: Cursor, places: number): Body | null {
  let at = cursor.at + places;
  while (cursor.tokens.list[at]?.kind === 'name' || isSign(cursor.tokens.list[at], '*')) at++;
  const { list } = cursor.tokens;
  const params = isSign(list[at], '(')
    ? parametersIn(reading, cursor.tokens, at + 1, closing(cursor, at))
    : [];
  if (isSign(list[at], '(')) at = closing(cursor, at) + 1;
  if (isWord(list[at], 'use') && isSign(list[at + 1], '(')) at = closing(cursor, at + 1) + 1;
  if (isSign(list[at], '=>')) {
    cursor.at = at + 1;
    return upToEnd(reading, cursor, params);
  }
  if (!isSign(list[at], '{')) return null;
  cursor.at = at;
  return braced(reading, cursor, params);
}

function stabby(reading: Reading, cursor: Cursor): Body | null {
  let at = cursor.at + 1;
  const { tokens } = cursor;
  const params = isSign(tokens.list[at], '(')
    ? parametersIn(reading, tokens, at + 1, closing(cursor, at))
    : [];
  if (isSign(tokens.list[at], '(')) at = closing(cursor, at) + 1;
  if (!isSign(tokens.list[at], '{')) return null;
  cursor.at = at;
  return braced(reading, cursor, params);
}

/** The block passed to a call in Ruby and similar languages: `{ |x| … }`, `do |x| … end`. */
export function blockHere(reading: Reading, cursor: Cursor): Body | null {
  if (reading.language.blocks !== 'end') return null;
  const token = ahead(cursor);
  const isDo = isWord(token, 'do');
  if (!isDo && !isSign(token, '{')) return null;
  const { tokens } = cursor;
  const open = cursor.at;
  const to = isDo ? endOfWords(reading, cursor, open + 1) : closing(cursor, open);
  let from = open + 1;
  let params: readonly (readonly string[])[] = [['it'], ['_1']];
  if (isSign(tokens.list[from], '|')) {
    let end = from + 1;
    while (end < to && !isSign(tokens.list[end], '|')) end++;
    params = parametersIn(reading, tokens, from + 1, end);
    from = end + 1;
  }
  cursor.at = Math.min(to + 1, cursor.to);
  return newBody(reading, tokens, params, from, to, false);
}

function braced(reading: Reading, cursor: Cursor, params: Body['params']): Body {
  const open = cursor.at;
  const to = closing(cursor, open);
  cursor.at = Math.min(to + 1, cursor.to);
  return newBody(reading, cursor.tokens, params, open + 1, to, false);
}

function upToEnd(reading: Reading, cursor: Cursor, params: Body['params']): Body {
  const from = cursor.at;
  const to = endOfExpression(reading, cursor, from, null);
  cursor.at = to;
  return newBody(reading, cursor.tokens, params, from, to, true);
}

/** Returns the same function each time the text reaches it. */
export function newBody(
  reading: Reading,
  tokens: Tokens,
  params: Body['params'],
  from: number,
  to: number,
  isExpression: boolean,
): Body {
  const bodies = reading.bodies.get(tokens) ?? new Map<number, Body>();
  const body = bodies.get(from) ?? { tokens, params, from, to, isExpression, ran: false, active: false };
  reading.bodies.set(tokens, bodies.set(from, body));
  return body;
}

/** Where an unread expression ends: at a comma, at a bracket opened outside it, or at the end of its line. */
function endOfExpression(reading: Reading, cursor: Cursor, from: number, sign: string | null): number {
  const { tokens, to, inside } = cursor;
  let at = from;
  for (; at < to; at++) {
    const token = tokens.list[at];
    if (token?.kind === 'line' && !inside) break;
    if (token?.kind !== 'sign') continue;
    if ('([{'.includes(token.text)) at = closing(cursor, at);
    else if (token.text === sign || (sign === null && /^[,;)\]}]$/.test(token.text))) break;
  }
  spend(reading, (at - from) >> 3);
  return Math.min(at, to);
}

/** Names of the parameters, each with the names it is destructured into. */
export function parametersIn(
  reading: Reading,
  tokens: Tokens,
  from: number,
  to: number,
): readonly (readonly string[])[] {
  const params: string[][] = [];
  let own: string[] = [];
  let isTold = false;
  for (let at = from; at < to; at++) {
    const token = tokens.list[at];
    if (token?.kind === 'name' && !isTold) {
      // PHP writes the type before the name, other languages after it.
      if (reading.language.arrows) own = [token.text];
      else if (own.length === 0) own.push(token.text);
    } else if (isSign(token, ',')) {
      params.push(own);
      own = [];
      isTold = false;
    } else if (token?.kind === 'sign' && '([{'.includes(token.text)) {
      const end = Math.min(tokens.closing.get(at) ?? to, to);
      if (!isTold) own = [...namesBetween(tokens, at + 1, end), ''];
      isTold = true;
      at = end;
    } else if (token?.kind === 'sign' && /^[=:]$/.test(token.text)) isTold = true;
  }
  return [...params, own];
}

function namesBetween(tokens: Tokens, from: number, to: number): readonly string[] {
  return tokens.list.slice(from, to).flatMap(({ kind, text }) => (kind === 'name' ? [text] : []));
}

const MAX_CALLS = 24;
const CALLING = 10;

/** Return value of a function called with these values. */
export function run(reading: Reading, body: Body, args: readonly Value[]): Value {
  if (reading.calls > MAX_CALLS) reading.isCut = true;
  if (body.active || reading.calls > MAX_CALLS || !spend(reading, CALLING)) return madeFrom(...args);
  body.ran = true;
  body.active = true;
  reading.calls++;
  const { returned, block } = reading;
  const before = new Map<string, Value | undefined>();
  const names = [...body.params.flat(), '$_'];
  for (const name of names) before.set(nameOf(name), reading.names.get(nameOf(name)));
  for (const [at, targets] of body.params.entries())
    if (targets.length > 0) bindAll(reading, targets, args[at] ?? NOTHING);
  if (reading.language.sigils) reading.names.set('$_', listOf(args));
  reading.returned = [];
  reading.block = body.from;
  const cursor = cursorIn(body.tokens, body.from, body.to, body.isExpression);
  const last = body.isExpression ? expression(reading, cursor) : statements(reading, cursor);
  const given = reading.returned.reduce<Value | null>(
    (all, value) => (all === null ? value : either(all, value)),
    null,
  );
  Object.assign(reading, { returned, block, calls: reading.calls - 1 });
  for (const [name, value] of before)
    if (value === undefined) reading.names.delete(name);
    else reading.names.set(name, value);
  body.active = false;
  const isLast = body.isExpression || reading.language.blocks === 'end' || reading.language.sigils === true;
  return given ?? (isLast ? last : NOTHING);
}
