import { blockAt } from './blocks.ts';
import { argumentList, bracketed } from './brackets.ts';
import { ahead, type Cursor, closing, cursorIn, isSign, isWord, type Reading, skipLines } from './cursor.ts';
import { expression } from './expressions.ts';
import { newBody, parametersIn } from './functions.ts';
import { importHere } from './imports.ts';
import { bindAll, elementOf, inTurns, targetsAt } from './loops.ts';
import { listOf, NOTHING, type Value } from './value.ts';
import { partOf, setName } from './variables.ts';

/** Words that end or begin a branch. */
const BRANCHES =
  /^(?:if|elif|elsif|elseif|else|unless|case|when|switch|while|until|loop|try|catch|except|rescue|finally|ensure|begin|end|match|default|repeat)$/;
const DEFINES = /^(?:def|defp|function|sub|func|fn|fun)$/;
const HEADS = /^(?:class|module|struct|interface|trait|namespace|package|enum|defmodule|record|object)$/;
const DECLARES =
  /^(?:const|let|var|my|our|local|static|final|val|mut|auto|global|export|default|public|private|protected|async|state)$/;

/** Reads statements in order; returns the value of the last one. */
export function statements(reading: Reading, cursor: Cursor): Value {
  let last = NOTHING;
  for (let token = ahead(cursor); token !== undefined && reading.steps > 0; token = ahead(cursor)) {
    const before = cursor.at;
    if (token.kind === 'line') {
      const indent = token.indent ?? 0;
      if (indent !== reading.indent && reading.language.blocks === 'indent') reading.block = cursor.at;
      reading.indent = indent;
      cursor.at++;
    } else if (token.kind === 'sign' && /^[{};,)\]:]$/.test(token.text)) {
      if (/[{}]/.test(token.text)) reading.block = cursor.at;
      cursor.at++;
    } else {
      last = statement(reading, cursor);
      if (cursor.at === before) cursor.at++;
    }
  }
  return last;
}

function statement(reading: Reading, cursor: Cursor): Value {
  const token = ahead(cursor);
  if (token?.kind === 'name' && !isSign(ahead(cursor, 1), '=') && !isSign(ahead(cursor, 1), '.')) {
    const { text } = token;
    if (importHere(reading, cursor)) return NOTHING;
    if (DEFINES.test(text) && define(reading, cursor)) return NOTHING;
    if (text === 'for' || text === 'foreach') return loop(reading, cursor);
    if (text === 'with' || text === 'using') return opened(reading, cursor);
    if (text === 'return' || text === 'yield' || text === 'break') return given(reading, cursor);
    if (HEADS.test(text) && ahead(cursor, 1)?.kind === 'name') return head(reading, cursor);
    if (BRANCHES.test(text)) return branch(reading, cursor);
    if (DECLARES.test(text)) {
      cursor.at++;
      if (pattern(reading, cursor)) return NOTHING;
      return ahead(cursor)?.kind === 'name' ? statement(reading, cursor) : NOTHING;
    }
    if (method(reading, cursor) || several(reading, cursor)) return NOTHING;
  }
  const first = expression(reading, cursor);
  return isSign(ahead(cursor), ',') ? more(reading, cursor, first) : first;
}

function more(reading: Reading, cursor: Cursor, first: Value): Value {
  cursor.at++;
  return listOf([
    first,
    ...argumentList(reading, cursorIn(cursor.tokens, cursor.at, cursor.to, false), cursor).list,
  ]);
}

function branch(reading: Reading, cursor: Cursor): Value {
  if (/^(?:while|until|loop|repeat)$/.test(ahead(cursor)?.text ?? '')) reading.loops = true;
  reading.block = cursor.at;
  cursor.at++;
  const next = ahead(cursor);
  return next === undefined || next.kind === 'line' || isSign(next, ':') || isSign(next, '{')
    ? NOTHING
    : expression(reading, cursor);
}

function given(reading: Reading, cursor: Cursor): Value {
  cursor.at++;
  const next = ahead(cursor);
  if (next === undefined || next.kind === 'line' || isSign(next, ';') || isSign(next, '}')) return NOTHING;
  const value = expression(reading, cursor);
  reading.returned.push(value);
  return value;
}

/** `for x in list:`, `for (const x of list) {`, `foreach my $x (@list) {`, `for (let i = 0; …)`. */
function loop(reading: Reading, cursor: Cursor): Value {
  cursor.at++;
  reading.loops = true;
  const { tokens } = cursor;
  while (ahead(cursor)?.kind === 'name' && /^(?:my|await|our)$/.test(ahead(cursor)?.text ?? '')) cursor.at++;
  const isBracketed = isSign(ahead(cursor), '(');
  const open = cursor.at;
  const own = isBracketed ? cursorIn(tokens, open + 1, closing(cursor, open), true) : cursor;
  let names: readonly string[] = [];
  let over = NOTHING;
  if (isBracketed && hasSemicolon(own)) argumentList(reading, own);
  else if (
    isBracketed &&
    /^\$/.test(ahead(own)?.text ?? '') &&
    reading.language.arrows &&
    !reading.language.sigils
  ) {
    over = expression(reading, own);
    names = namesBehind(own);
  } else if (!isBracketed && reading.language.sigils) {
    names = [ahead(cursor)?.text ?? ''];
    cursor.at++;
    over = expression(reading, cursor);
  } else {
    names = targetsAt(own);
    over = expression(reading, own);
    const further: Value[] = [];
    while (isSign(ahead(own), ',')) {
      own.at++;
      further.push(expression(reading, own));
    }
    if (further.length > 0) over = listOf([over, ...further]);
  }
  if (isBracketed) cursor.at = Math.min(closing(cursor, open) + 1, cursor.to);
  return repeated(reading, cursor, names, over);
}

function repeated(reading: Reading, cursor: Cursor, names: readonly string[], over: Value): Value {
  const { from, to, end } = blockAt(reading, cursor, cursor.at);
  const { indent } = reading;
  reading.block = from;
  if (reading.depth > MAX_LOOPS) {
    reading.isCut = true;
    cursor.at = end;
    return NOTHING;
  }
  reading.depth++;
  inTurns(reading, names, over, to - from, () => {
    reading.indent = indent;
    return statements(reading, cursorIn(cursor.tokens, from, to, false));
  });
  reading.depth--;
  reading.block = end;
  cursor.at = end;
  return NOTHING;
}

const MAX_LOOPS = 40;

function hasSemicolon({ tokens, at: from, to }: Cursor): boolean {
  for (let at = from; at < to && at < from + MAX_HEAD; at++) if (isSign(tokens.list[at], ';')) return true;
  return false;
}

const MAX_HEAD = 60;

/** `foreach ($list as $key => $value)`. */
function namesBehind(cursor: Cursor): readonly string[] {
  const names: string[] = [];
  for (; cursor.at < cursor.to; cursor.at++) {
    const token = ahead(cursor);
    if (token?.kind === 'name' && token.text !== 'as') names.push(token.text);
  }
  return names.slice(-1);
}

/** `with open(x) as f:`. */
function opened(reading: Reading, cursor: Cursor): Value {
  cursor.at++;
  for (;;) {
    const value = expression(reading, cursor);
    if (isWord(ahead(cursor), 'as')) {
      cursor.at++;
      const name = ahead(cursor);
      if (name?.kind === 'name') setName(reading, name.text, value);
      cursor.at++;
    }
    if (!isSign(ahead(cursor), ',')) return value;
    cursor.at++;
    skipLines(cursor);
  }
}

/** `class A(B):`: its name and its base. Its statements follow. */
function head(reading: Reading, cursor: Cursor): Value {
  reading.block = cursor.at;
  const name = ahead(cursor, 1)?.text ?? '';
  cursor.at += 2;
  const from = isSign(ahead(cursor), '(') ? bracketed(reading, cursor, cursor.at).list[0] : undefined;
  // A class shadows outer names. It acts like its base class.
  reading.names.set(name, from?.thing ? from : NOTHING);
  while (
    ahead(cursor) !== undefined &&
    ahead(cursor)?.kind !== 'line' &&
    !isSign(ahead(cursor), '{') &&
    !isSign(ahead(cursor), ':') &&
    !isSign(ahead(cursor), ';')
  )
    cursor.at++;
  return NOTHING;
}

/** `def name(params):`, `function name(params) {`, `sub name {`. */
function define(reading: Reading, cursor: Cursor): boolean {
  let at = cursor.at + 1;
  const { tokens } = cursor;
  const { list } = tokens;
  if (isSign(list[at], '*')) at++;
  // `def self.name`, `func (r *T) name(…)`.
  while (isSign(list[at + 1], '.') && list[at + 2]?.kind === 'name') at += 2;
  if (isSign(list[at], '(') && list[closing(cursor, at) + 1]?.kind === 'name') at = closing(cursor, at) + 1;
  const name = list[at];
  if (name?.kind !== 'name') return false;
  defineAt(reading, cursor, name.text, at + 1);
  return true;
}

function defineAt(reading: Reading, cursor: Cursor, name: string, open: number): void {
  const { tokens } = cursor;
  const { list } = tokens;
  const hasParams = isSign(list[open], '(');
  const close = hasParams ? closing(cursor, open) : open - 1;
  const params = hasParams ? parametersIn(reading, tokens, open + 1, close) : [];
  let at = close + 1;
  const isPython = reading.language.blocks === 'indent';
  // The return type stands between the parameters and the body.
  if (reading.language.blocks !== 'end')
    while (
      at < cursor.to &&
      list[at]?.kind !== 'line' &&
      !isSign(list[at], isPython ? ':' : '{') &&
      !isSign(list[at], ';')
    )
      at++;
  const { from, to, end } = blockAt(reading, cursor, at);
  const own = params[0]?.[0] === 'self' || params[0]?.[0] === 'cls' ? params.slice(1) : params;
  reading.functions.set(name, newBody(reading, tokens, own, from, to, false));
  cursor.at = Math.max(end, cursor.at + 1);
}

/** A method of a class that begins with its name: `delete(key) { … }`. */
function method(reading: Reading, cursor: Cursor): boolean {
  if (reading.language.blocks !== undefined || reading.language.bareCalls || !isSign(ahead(cursor, 1), '('))
    return false;
  const close = closing(cursor, cursor.at + 1);
  const { list } = cursor.tokens;
  if (!isSign(list[close + 1], '{')) return false;
  defineAt(reading, cursor, ahead(cursor)?.text ?? '', cursor.at + 1);
  return true;
}

/** `{ a, b: c } = x`, `[a, b] = x`, `($a, $b) = x`. */
function pattern(reading: Reading, cursor: Cursor): boolean {
  const token = ahead(cursor);
  if (token?.kind !== 'sign' || !'([{'.includes(token.text)) return false;
  const { tokens } = cursor;
  const close = closing(cursor, cursor.at);
  let sign = close + 1;
  while (sign < cursor.to && sign < close + MAX_HEAD && !isSign(tokens.list[sign], '=')) sign++;
  if (!isSign(tokens.list[sign], '=')) return false;
  const inside = tokens.list.slice(cursor.at + 1, close);
  cursor.at = sign + 1;
  const value = expression(reading, cursor);
  taken(
    reading,
    inside.map(({ kind, text }) => ({ kind, text })),
    value,
  );
  return true;
}

/** Assigns each name its part of the value: `{ part: name }`. */
function taken(reading: Reading, inside: readonly { kind: string; text: string }[], value: Value): void {
  let place = 0;
  for (const [at, { kind, text }] of inside.entries()) {
    if (text === ',') place++;
    const next = inside[at + 1]?.text;
    if (kind !== 'name' || next === ':' || inside[at - 1]?.text === '=') continue;
    const part = inside[at - 1]?.text === ':' ? (inside[at - 2]?.text ?? text) : text;
    setName(reading, text, partOf(reading, value, part, place) ?? elementOf(value));
  }
}

const MAX_NAMES = 16;

/** `a, b = c`. */
function several(reading: Reading, cursor: Cursor): boolean {
  const names: string[] = [];
  let at = cursor.at;
  for (; cursor.tokens.list[at]?.kind === 'name' && names.length < MAX_NAMES; at += 2) {
    names.push(cursor.tokens.list[at]?.text ?? '');
    if (!isSign(cursor.tokens.list[at + 1], ',')) break;
  }
  if (names.length < 2 || !isSign(cursor.tokens.list[at + 1], '=')) return false;
  cursor.at = at + 2;
  const first = expression(reading, cursor);
  const value = isSign(ahead(cursor), ',') ? more(reading, cursor, first) : first;
  bindAll(reading, names, value.items ? value : elementOf(value));
  return true;
}
