import { UNKNOWN } from '../../analysis.ts';
import { isUnknown, marksIn, unknownOf, withMarks, withoutUnknown } from '../../placeholders.ts';
import type { Link } from './requests.ts';
import type { Thing } from './thing.ts';
import type { Tokens } from './tokens.ts';

/** Value of an expression, as far as the program text determines it. */
export interface Value {
  /** As text, with `UNKNOWN` or an origin mark for each unknown part. */
  readonly text: string;
  /** Origin marks of all its parts. */
  readonly marks: string;
  /** True if it, or a part of it, was encoded. */
  readonly decoded: boolean;
  readonly items?: readonly Value[];
  /** An object, or the named arguments of a call; `open` if it may have further fields. */
  readonly fields?: ReadonlyMap<string, Value>;
  readonly open?: boolean;
  /** Full name, such as `os.system`. */
  readonly path?: string;
  /** True for a module, or a member of one, that was imported. */
  readonly imported?: boolean;
  /** A resource of a service or another machine. */
  readonly thing?: Thing;
  readonly link?: Link;
  readonly body?: Body;
  /** Candidates, one of which is the value. */
  readonly any?: readonly Value[];
  readonly number?: number;
}

/** A function that the program defines. */
export interface Body {
  readonly tokens: Tokens;
  readonly from: number;
  readonly to: number;
  /** Names of the parameters, each with the names it is destructured into. */
  readonly params: readonly (readonly string[])[];
  /** True if the body is one expression, which is its value. */
  readonly isExpression: boolean;
  ran: boolean;
  active: boolean;
}

export const NOTHING: Value = { text: UNKNOWN, marks: '', decoded: false };
/** Longer texts are no longer followed, because real programs that are run are shorter. */
const LONGEST = 32_768;
const MAX_ANY = 100;

/** A text made of other texts. */
export function textOf(text: string, ...from: readonly Value[]): Value {
  const { marks, decoded } = sources(from);
  return { text: text.length > LONGEST ? unknownOf(marks) : text, marks, decoded };
}

/** A literal text, or one whose marks say where it comes from. */
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

/** A value computed from others in an unknown way. It keeps only their origins. */
export function madeFrom(...from: readonly Value[]): Value {
  const { marks, decoded } = sources(from);
  return marks === '' && !decoded ? NOTHING : { text: unknownOf(marks), marks, decoded };
}

/** A value that may be either of two. */
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

/** Applies `make` to each candidate of the value. */
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
