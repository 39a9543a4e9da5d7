import { hasUnknown } from '../../placeholders.ts';
import { type Cursor, peek, type Reading } from './cursor.ts';
import { anyOf, known, madeFrom, NOTHING, type Value } from './value.ts';
import { nameOf, partOf } from './variables.ts';

/** The names before `in`, `of`, `:` or `=`; moves the cursor past that sign. */
export function targetsAt(cursor: Cursor): readonly string[] {
  const names: string[] = [];
  for (let token = peek(cursor); token !== undefined && token.kind !== 'line'; token = peek(cursor)) {
    cursor.at++;
    if (/^(?:in|of|:|=|<-|:=)$/.test(token.text)) return names;
    if (token.kind === 'name' && !/^(?:const|let|var|my|our|await)$/.test(token.text)) names.push(token.text);
  }
  return names;
}

/** The loop variable's value in each iteration. */
export function elementOf(value: Value): Value {
  if (value.items) return value.items.length === 0 ? NOTHING : anyOf(value.items);
  if (value.any) return anyOf(value.any.map(elementOf));
  // The names in a directory, as a pattern.
  if (isPattern(value.text)) return value;
  return value.thing ? { ...madeFrom(value), thing: value.thing } : madeFrom(value);
}

/** Destructures a value into several names: its parts, or its sources if the parts are unknown. */
export function bindAll(reading: Reading, names: readonly string[], value: Value): void {
  const isOne = names.length === 1;
  for (const [at, name] of names.entries())
    reading.names.set(nameOf(name), isOne ? value : (partOf(reading, value, name, at) ?? elementOf(value)));
}

/** Limit for a body that is read again for every item of a list. */
const MAX_REPEATED = 20_000;

/** Reads the body of a loop for every item of a known list, otherwise once. Returns the value of each iteration. */
export function inTurns(
  reading: Reading,
  names: readonly string[],
  over: Value,
  length: number,
  turn: () => Value,
): readonly Value[] {
  const items = itemsOf(over);
  const cost = (items?.length ?? 0) * (length + 4);
  // An empty list may be filled by code that was not followed.
  const isOpen = items === undefined || items.length === 0;
  if (isOpen || cost > MAX_REPEATED || cost > reading.steps / 2) {
    bindAll(reading, names, elementOf(over));
    const value = turn();
    // The number of items is unknown, and so is the joined text.
    return hasUnknown(value.text) || isPattern(value.text) ? [value] : [value, NOTHING];
  }
  return items.map((item) => {
    bindAll(reading, names, item);
    return turn();
  });
}

const MAX_CHARACTERS = 2_000;
const isPattern = (text: string) => /[*?]/.test(text);

/** The items of a loop if all are known: a list, or the characters of a text. */
export function itemsOf({ items, any, fields, number, text }: Value): readonly Value[] | undefined {
  if (items || any || fields || number !== undefined || text.length > MAX_CHARACTERS) return items;
  return hasUnknown(text) || isPattern(text) ? undefined : [...text].map((character) => known(character));
}
