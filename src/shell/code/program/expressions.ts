import { isUnknown } from '../../placeholders.ts';
import { bracketed, objectAt } from './brackets.ts';
import { choices, filled, numbers } from './compute.ts';
import { ahead, type Cursor, cursorIn, isSign, isWord, peek, type Reading, spend } from './cursor.ts';
import { functionHere } from './functions.ts';
import { postfix, type Ref, refTo, runShell } from './postfix.ts';
import type { Token } from './tokens.ts';
import { concat, either, known, listOf, madeFrom, NOTHING, numberOf, textOf, type Value } from './value.ts';
import { assign, variable } from './variables.ts';

/** Precedence of operators; any other token ends an expression. */
const LEVELS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    ['? if', 2],
    ['or || ??', 3],
    ['and &&', 4],
    ['== === != !== =~ !~ <=> <= >= < > in is eq ne lt gt not instanceof', 5],
    ['<< >> & ^ |', 6],
    ['+ - . .. <>', 7],
    ['* / // %', 8],
    ['**', 9],
  ].flatMap(([signs, level]) =>
    String(signs)
      .split(' ')
      .map((sign) => [sign, Number(level)]),
  ),
);
const ASSIGNS = /^(?:=|:=|<-|[-+*/%.|&^]=|\*\*=|\|\|=|&&=|\?\?=)$/;
const MAX_DEPTH = 80;

/** Reads one expression, applies its effects, and returns its value. */
export function expression(reading: Reading, cursor: Cursor, least = 0): Value {
  if (reading.depth > MAX_DEPTH) reading.isCut = true;
  if (reading.depth > MAX_DEPTH || !spend(reading)) {
    cursor.at = cursor.to;
    return NOTHING;
  }
  reading.depth++;
  const value = continued(reading, cursor, operand(reading, cursor), least);
  reading.depth--;
  return value;
}

function continued(reading: Reading, cursor: Cursor, first: Ref, least: number): Value {
  let left = first.value;
  let place = first.place;
  for (let token = peek(cursor); token !== undefined; token = peek(cursor)) {
    if (token.kind === 'sign' && place !== null && ASSIGNS.test(token.text)) {
      cursor.at++;
      left = assign(reading, place, token.text, left, expression(reading, cursor, 1));
      place = null;
      continue;
    }
    const level = levelOf(reading, cursor, token);
    if (level === undefined || level < least) break;
    place = null;
    cursor.at++;
    left =
      level === 2
        ? choice(reading, cursor, token.text, left)
        : binary(token.text, left, expression(reading, cursor, level + 1));
  }
  if (left !== first.value && left.items === undefined && left.text.length < 4_096)
    reading.said.add(left.text);
  return left;
}

function levelOf({ language }: Reading, cursor: Cursor, { kind, text }: Token): number | undefined {
  if (kind === 'text' || kind === 'number' || kind === 'line') return undefined;
  if (text === '.' || text === '<>') return language.arrows || text === '<>' ? LEVELS[text] : undefined;
  if (text === 'if' || text === 'in')
    return language.blocks === 'indent' || text === 'in' ? LEVELS[text] : undefined;
  if (text === '|' && isSign(ahead(cursor, 1), '>')) return undefined;
  return Object.hasOwn(LEVELS, text) ? LEVELS[text] : undefined;
}

/** `a ? b : c` and `b if a else c` may be either value. */
function choice(reading: Reading, cursor: Cursor, sign: string, left: Value): Value {
  const second = expression(reading, cursor, 3);
  const next = peek(cursor);
  if (!isWord(next, 'else') && !isSign(next, ':')) return left;
  cursor.at++;
  const third = expression(reading, cursor, 2);
  return sign === 'if' ? either(left, third) : either(second, third);
}

function binary(sign: string, left: Value, right: Value): Value {
  switch (sign) {
    case '+':
    case '.':
    case '..':
    case '<>':
      return concat(left, right);
    case '/':
      if (right.number !== undefined || (isUnknown(left.text) && isUnknown(right.text)))
        return madeFrom(left, right);
      return choices(left, right, (one, other) => textOf(`${one.text}/${other.text}`, one, other));
    case '%':
      return left.number === undefined ? filled(left, right) : numbers(sign, left, right);
    case '*':
    case '-':
    case '^':
      return numbers(sign, left, right);
    case '||':
    case 'or':
    case '??':
      return either(left, right);
    case '&&':
    case 'and':
      return right;
    default:
      return NOTHING;
  }
}

const PREFIXES = /^(?:[-+!~*&\\@$^<>|#]|\*\*|\.\.\.|\.\.|\+\+|--|->|=>|&&|:)$/;
/** Prefixes of a value that don't change its effects. */
const PASSED_BY: ReadonlySet<string> = new Set(
  'await async yield typeof void not raise throw return echo print puts defer go from delete my our local const let var static new do then begin case when in of elif elsif unless while until if else and or try finally ensure assert del val auto final mut export default public private protected readonly x'.split(
    ' ',
  ),
);

function operand(reading: Reading, cursor: Cursor): Ref {
  let before = '';
  for (let token = peek(cursor); token !== undefined; token = peek(cursor)) {
    const body = functionHere(reading, cursor);
    if (body !== null) return postfix(reading, cursor, refTo({ ...NOTHING, body }));
    const isPassed =
      token.kind === 'name'
        ? PASSED_BY.has(token.text) && !isName(reading, cursor)
        : PREFIXES.test(token.text);
    if (token.kind === 'line' || token.kind === 'text' || token.kind === 'number' || !isPassed) {
      return token.kind === 'line'
        ? refTo(NOTHING)
        : postfix(reading, cursor, single(reading, cursor, token, before));
    }
    before = token.text;
    cursor.at++;
  }
  return refTo(NOTHING);
}

function single(reading: Reading, cursor: Cursor, token: Token, before: string): Ref {
  const { at } = cursor;
  if (token.kind === 'sign' && /^[)\]},;]$/.test(token.text)) return refTo(NOTHING);
  cursor.at++;
  if (token.kind === 'text') return refTo(texts(reading, cursor, token));
  if (token.kind === 'number') {
    return refTo(numberOf(before === '-' ? -Number(token.text) : Number(token.text)));
  }
  if (token.kind === 'name')
    return { value: variable(reading, token.text), place: token.text, owner: null, name: token.text };
  if (token.text === '{') return refTo(objectAt(reading, cursor, at));
  if (token.text !== '(' && token.text !== '[') return refTo(NOTHING);
  const { list } = bracketed(reading, cursor, at);
  const [only] = list;
  return refTo(token.text === '(' && list.length === 1 && only !== undefined ? only : listOf(list));
}

/** `print(x)`, `db.delete(x)` and `from = 1`: the same words are plain names there. */
function isName(reading: Reading, cursor: Cursor): boolean {
  const next = ahead(cursor, 1);
  if (next === undefined || reading.names.has(ahead(cursor)?.text ?? '')) return true;
  if (next.text === '(' && !next.spaced)
    return /^(?:delete|print|puts|do|from|val|go|echo|x)$/.test(ahead(cursor)?.text ?? '');
  return next.kind === 'sign' && /^(?:=|\.|,|\))$/.test(next.text);
}

/** Adjacent text literals are one text. */
function texts(reading: Reading, cursor: Cursor, first: Token): Value {
  let value = textIn(reading, first);
  for (
    let next = peek(cursor);
    next?.kind === 'text' && !next.words && !next.shell && !first.words;
    next = peek(cursor)
  ) {
    cursor.at++;
    value = concat(value, textIn(reading, next));
  }
  return value;
}

/** The value of a quoted text, with its interpolations. */
export function textIn(reading: Reading, token: Token): Value {
  if (token.words) return listOf(token.words.map((word) => known(word)));
  let value = known(token.parts === undefined ? token.text : '');
  for (const part of token.parts ?? []) {
    const put =
      typeof part === 'string' ? known(part) : expression(reading, cursorIn(part, 0, part.list.length, true));
    value = concat(value, put.number === undefined ? put : known(put.text));
  }
  if (token.parts && value.text.length < 4_096) reading.said.add(value.text);
  return token.shell ? runShell(reading, value) : value;
}
