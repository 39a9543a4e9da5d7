import { UNKNOWN } from '../analysis.ts';
import { hasUnknown, madeOf } from '../placeholders.ts';
import type { Expression } from './nodes.ts';

export type Block = Extract<Expression, { kind: 'block' }>;

/** Candidates of an expression: the items of a list, or alternatives, which have the same possible effects. */
export interface Value {
  /** Templates: a private-use character stands for each unknown piece. */
  readonly items: readonly string[];
  readonly blocks: readonly Block[];
  /** Table entries, by lowercase name. */
  readonly table: ReadonlyMap<string, Value> | null;
  /** The .NET type of an object, lowercase and without `system.`. */
  readonly type: string | null;
  /** True if it was encoded, so a reader of the line could not see it. */
  readonly decoded: boolean;
  /** True for program text that was turned into a block. */
  readonly isCode: boolean;
}

/** A value with more items is unknown. */
const MAX_ITEMS = 24;
const MAX_LENGTH = 16 * 1024;

export const NOTHING: Value = {
  items: [],
  blocks: [],
  table: null,
  type: null,
  decoded: false,
  isCode: false,
};

export function textValue(...items: readonly string[]): Value {
  return { ...NOTHING, items: bounded(items) };
}

export const ANYTHING: Value = textValue(UNKNOWN);

/** An unknown value with known origins. */
export function derived(...values: readonly Value[]): Value {
  return {
    ...NOTHING,
    items: [madeOf(...values.flatMap(({ items }) => items))],
    decoded: values.some(({ decoded }) => decoded),
  };
}

/** All of them together, or one of them. */
export function union(...values: readonly Value[]): Value {
  if (values.length === 1 && values[0]) return values[0];
  return {
    items: bounded(values.flatMap(({ items }) => items)),
    blocks: values.flatMap(({ blocks }) => blocks).slice(0, MAX_ITEMS),
    table: values.find(({ table }) => table !== null)?.table ?? null,
    type: values.find(({ type }) => type !== null)?.type ?? null,
    decoded: values.some(({ decoded }) => decoded),
    isCode: values.some(({ isCode }) => isCode),
  };
}

/** Concatenations of all candidates. */
export function concatenated(values: readonly Value[]): Value {
  let texts: readonly string[] = [''];
  for (const { items } of values) {
    const ends = items.length === 0 ? [''] : items;
    if (texts.length * ends.length > MAX_ITEMS) return derived(...values);
    texts = texts.flatMap((text) => ends.map((end) => text + end));
  }
  return { ...NOTHING, items: bounded(texts), decoded: values.some(({ decoded }) => decoded) };
}

export function textOf(value: Value): string {
  return value.items.join(' ');
}

/** The only candidate; null if there are several, or if it is unknown. */
export function onlyText({ items }: Value): string | null {
  const [only] = items;
  return items.length === 1 && only !== undefined && !hasUnknown(only) ? only : null;
}

export const isSame = (a: Value, b: Value | undefined): boolean =>
  a === b ||
  (b !== undefined &&
    a.items.length === b.items.length &&
    a.items.every((item, at) => item === b.items[at]) &&
    a.blocks.length === b.blocks.length &&
    a.table === b.table);

function bounded(items: readonly string[]): readonly string[] {
  const isLong = items.some((item) => item.length > MAX_LENGTH);
  return items.length > MAX_ITEMS || isLong ? [madeOf(...items)] : items;
}
