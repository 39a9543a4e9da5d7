import { ahead, type Cursor, closing, cursorIn, isSign, isWord, peek, type Reading } from './cursor.ts';
import { expression } from './expressions.ts';
import { bindAll, inTurns, targetsAt } from './loops.ts';
import { listOf, objectOf, type Value } from './value.ts';

/** Arguments of a call, positional and named. */
export interface Arguments {
  readonly list: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

const MAX_ARGUMENTS = 4_000;

/** The values between the bracket at `open` and its counterpart. Moves the cursor past the closing bracket. */
export function bracketed(reading: Reading, cursor: Cursor, open: number): Arguments {
  const to = closing(cursor, open);
  const own = cursorIn(cursor.tokens, open + 1, to, true);
  const made = comprehension(reading, own);
  // A generator between round brackets is one value.
  const isOne = made !== null && isSign(cursor.tokens.list[open], '(');
  const found = (isOne ? { ...made, list: [listOf(made.list)] } : made) ?? argumentList(reading, own);
  cursor.at = Math.min(to + 1, cursor.to);
  return found;
}

/**
 * Comma-separated values up to the end of the cursor; without brackets, up to the end of the line, where `outer`
 * continues.
 */
export function argumentList(reading: Reading, cursor: Cursor, outer?: Cursor): Arguments {
  const list: Value[] = [];
  const named = new Map<string, Value>();
  for (let token = peek(cursor); token !== undefined; token = peek(cursor)) {
    const before = cursor.at;
    const name = argumentName(reading, cursor);
    const value = expression(reading, cursor);
    const spreads = token.kind === 'sign' && /^(?:\.\.\.|\*|@)$/.test(token.text);
    if (name !== null) named.set(name, value);
    else if (spreads && value.items) list.push(...value.items);
    else if (token.text === '**' && value.fields) for (const [key, one] of value.fields) named.set(key, one);
    else if (cursor.at > before) list.push(value);
    const next = peek(cursor);
    const separates = cursor.inside ? /^(?:,|=>|;)$/ : /^(?:,|=>)$/;
    if (next?.kind === 'sign' && separates.test(next.text)) cursor.at++;
    else if (!cursor.inside) break;
    // Skips anything that can't be read inside brackets.
    else if (cursor.at === before) cursor.at++;
    if (list.length > MAX_ARGUMENTS) {
      reading.isCut = true;
      break;
    }
  }
  if (outer) outer.at = cursor.at;
  return { list, named };
}

/** Reads `name=`, `name:` or `name =>` before a value and moves the cursor past it. */
function argumentName({ language }: Reading, cursor: Cursor): string | null {
  const [first, second, third] = [ahead(cursor), ahead(cursor, 1), ahead(cursor, 2)];
  if (first === undefined || first.parts || (first.kind !== 'name' && first.kind !== 'text')) return null;
  const isKeyword = isSign(second, '=') && first.kind === 'name' && !/^[$@%]/.test(first.text);
  const isField = isSign(second, ':') && third !== undefined;
  // Before a function body, the same sign means something else.
  const isPair = isSign(second, '=>') && language.inserts !== 'dollar' && !/^[$@%]/.test(first.text);
  if (!isKeyword && !isField && !isPair) return null;
  cursor.at += 2;
  return first.text;
}

/** `{ a: b, 'c': d, e, ...f }`. */
export function objectAt(reading: Reading, cursor: Cursor, open: number): Value {
  const to = closing(cursor, open);
  const own = cursorIn(cursor.tokens, open + 1, to, true);
  cursor.at = Math.min(to + 1, cursor.to);
  const made = comprehension(reading, own);
  if (made !== null) return listOf(made.list);
  const fields = new Map<string, Value>();
  let isOpen = false;
  for (let token = peek(own); token !== undefined; token = peek(own)) {
    const before = own.at;
    const name = argumentName(reading, own);
    const value = expression(reading, own);
    if (name !== null) fields.set(name, value);
    else if (token.kind === 'name' && own.at === before + 1) fields.set(token.text, value);
    else {
      isOpen = true;
      for (const [key, one] of value.fields ?? [[`\u0000${before}`, value] as const]) fields.set(key, one);
    }
    const next = peek(own);
    if (next?.kind === 'sign' && /^(?:,|=>|;|:)$/.test(next.text)) own.at++;
    else if (own.at === before) own.at++;
  }
  return objectOf(fields, isOpen);
}

/** `f(x) for x in list if …`: reads the part before the loop with the values of the loop. */
function comprehension(reading: Reading, cursor: Cursor): Arguments | null {
  if (reading.language.blocks !== 'indent') return null;
  const { tokens, at: from, to } = cursor;
  const at = loopIn(cursor);
  if (at === null) return null;
  reading.loops = true;
  const head = cursorIn(tokens, at + 1, to, true);
  const targets = targetsAt(head);
  const over = expression(reading, head);
  const rest = () => {
    const more = cursorIn(tokens, head.at, to, true);
    if (isWord(peek(more), 'for') || isWord(peek(more), 'async')) {
      const inner = targetsAt(cursorIn(tokens, more.at + 1, to, true));
      more.at++;
      bindAll(reading, inner, targetsValue(reading, more));
    } else if (peek(more) !== undefined) argumentList(reading, more);
    return expression(reading, cursorIn(tokens, from, at, true));
  };
  const list = inTurns(reading, targets, over, at - from, rest);
  cursor.at = to;
  return { list, named: new Map() };
}

function targetsValue(reading: Reading, cursor: Cursor): Value {
  targetsAt(cursor);
  return expression(reading, cursor);
}

/** Position of a `for` directly between these brackets, not in nested ones. */
function loopIn({ tokens, at: from, to }: Cursor): number | null {
  for (let at = from; at < to; at++) {
    const token = tokens.list[at];
    if (token?.kind === 'sign' && '([{'.includes(token.text))
      at = Math.max(at, Math.min(tokens.closing.get(at) ?? to, to));
    else if (token?.kind === 'name' && token.text === 'for' && at > from) return at;
    else if (isSign(token, ',')) return null;
  }
  return null;
}
