import * as v from 'valibot';
import { parse } from 'yaml';
import { ACTS, OBJECTS } from './acts.ts';

/** What is said of a deed that is stopped, and what to do instead. */
export interface Reason {
  readonly why: string;
  readonly next?: string | undefined;
}

/** By an act, by an act and its object, or by both and the system that has it. */
export type Reasons = Readonly<Record<string, Reason>>;

const text = v.pipe(v.string(), v.nonEmpty());
const about = v.pipe(
  v.string(),
  v.check((words) => {
    const [act, object, , more] = words.split(' ');
    const isAct = ACTS.some((one) => one === act);
    return isAct && (object === undefined || OBJECTS.some((one) => one === object)) && more === undefined;
  }, 'an act, or an act and an object, and a system after them'),
);
const reasons = v.record(about, v.strictObject({ why: text, next: v.optional(text) }));

/** Reads `reasons.yaml`, when Hookline is built. */
export function parseReasons(yaml: string): Reasons {
  const parsed = v.safeParse(reasons, parse(yaml));
  if (parsed.success) return parsed.output;
  const [{ message, path }] = parsed.issues;
  throw new Error(`reasons.yaml, ${(path ?? []).map(({ key }) => key).join('.')}: ${message}`);
}
