import { UNKNOWN } from '../../analysis.ts';
import { isUnknown, marksIn, unknownOf, withMarks, withoutUnknown } from '../../placeholders.ts';
import type { Link } from './requests.ts';
import type { Thing } from './thing.ts';
import type { Tokens } from './tokens.ts';

/** What an expression of a program comes to, as far as its text says so. */
export interface Value {
  /** As a text, with `UNKNOWN` or the mark of where it comes from in place of what is not known. */
  readonly text: string;
  /** Where anything in it comes from. */
  readonly marks: string;
  /** It, or a part of it, could not be read before it was decoded. */
  readonly decoded: boolean;
  readonly items?: readonly Value[];
  /** An object, or the named arguments of a call; `open` where it may have further fields. */
  readonly fields?: ReadonlyMap<string, Value>;
  readonly open?: boolean;
  /** Full name, such as `os.system`. */
  readonly path?: string;
  /** It is a module, or a part of one, by an import. */
  readonly imported?: boolean;
  /** Something that a service or another machine keeps. */
  readonly thing?: Thing;
  readonly link?: Link;
  readonly body?: Body;
  /** It is one of these, whichever. */
  readonly any?: readonly Value[];
  readonly number?: number;
}

/** A function that the program defines. */
export interface Body {
  readonly tokens: Tokens;
  readonly from: number;
  readonly to: number;
  /** Names of its parameters, each with those that it is taken apart into. */
  readonly params: readonly (readonly string[])[];
  /** It is one expression, whose value it gives. */
  readonly isExpression: boolean;
  ran: boolean;
  active: boolean;
}

export const NOTHING: Value = { text: UNKNOWN, marks: '', decoded: false };
/** Longer texts are no more followed: programs that are run are not that long. */
const LONGEST = 32_768;
const MAX_ANY = 100;

/** A text that is made of the texts of others. */
export function textOf(text: string, ...from: readonly Value[]): Value {
  const { marks, decoded } = sources(from);
  return { text: text.length > LONGEST ? unknownOf(marks) : text, marks, decoded };
}

/** A text that stands for itself, or that comes from where its marks say. */
export function known(text: string, decoded = false): Value {
  return { text, marks: marksIn(text), decoded };
}

export function numberOf(number: number): Value {
  return Number.isFinite(number) ? { text: String(number), marks: '', decoded: false, number } : NOTHING;
}

export function listOf(items: readonly Value[]): Value {
  return { ...madeFrom(...items), items };
}

export function objectOf(fields: ReadonlyMap<string, Value>, open: boolean): Value {
  return { ...madeFrom(...fields.values()), fields, ...(open && { open }) };
}

function sources(from: readonly Value[]): { marks: string; decoded: boolean } {
  let marks = '';
  let decoded = false;
  for (const value of from) {
    if (value.marks !== '') marks = withMarks(marks, value.marks);
    decoded ||= value.decoded;
  }
  return { marks, decoded };
}

/** A value computed from others in an unknown way. It keeps only where they come from. */
export function madeFrom(...from: readonly Value[]): Value {
  const { marks, decoded } = sources(from);
  return marks === '' && !decoded ? NOTHING : { text: unknownOf(marks), marks, decoded };
}

/** One of two values, whichever. */
export function either(one: Value, other: Value): Value {
  return one === other ? one : anyOf([...(one.any ?? [one]), ...(other.any ?? [other])]);
}

export function anyOf(values: readonly Value[]): Value {
  const seen = new Set<string>();
  const different = values.filter((value) => {
    if (value.items || value.fields || value.body || value.thing || value.path || isUnknown(value.text))
      return true;
    return !seen.has(value.text) && seen.add(value.text);
  });
  const [first] = different;
  if (different.length === 1 && first !== undefined) return first;
  const made = madeFrom(...different);
  return different.length > MAX_ANY ? made : { ...made, any: different };
}

/** Does the same with each value that it may be. */
export function each(value: Value, make: (value: Value) => Value): Value {
  return value.any === undefined ? make(value) : anyOf(value.any.map((one) => make(one)));
}

export function concat(one: Value, other: Value): Value {
  if (one.any && other.any && one.any.length * other.any.length > MAX_ANY) return madeFrom(one, other);
  if (one.any) return each(one, (first) => concat(first, other));
  if (other.any) return each(other, (second) => concat(one, second));
  if (one.items && other.items) return listOf([...one.items, ...other.items]);
  if (one.number !== undefined && other.number !== undefined) return numberOf(one.number + other.number);
  return textOf(one.text + other.text, one, other);
}

/** A value as JSON has it. */
export function plainOf({ fields, items, text, number }: Value, depth = 0): unknown {
  if (depth > 4) return '';
  if (fields) return Object.fromEntries([...fields].map(([key, value]) => [key, plainOf(value, depth + 1)]));
  if (items) return items.slice(0, 100).map((value) => plainOf(value, depth + 1));
  return number ?? withoutUnknown(text);
}
