import * as v from 'valibot';
import { parse } from 'yaml';
import { deedName } from './act-schema.ts';
import type { DeedName } from './acts.ts';
import { words } from './word-lists.ts';

const variable = v.pipe(v.string(), v.regex(/^\*?\w+$/, 'the name of a variable'));
const group = v.strictObject({
  does: deedName,
  names: v.pipe(
    words,
    v.array(variable),
    v.minLength(1, 'a group without variables'),
    v.check((list) => new Set(list).size === list.length, 'a variable that stands there twice'),
  ),
});
const file = v.record(
  v.pipe(v.string(), v.regex(/^[a-z]+(?:-[a-z]+)*-variables$/, 'a group is called `…-variables`')),
  group,
);

/** Variables of one group, and what setting one of them comes to. */
interface VariableGroup {
  readonly does: DeedName;
  readonly names: readonly string[];
}
export type Variables = Readonly<Record<string, VariableGroup>>;

/** Reads `variables.yaml`, when Hookline is built. */
export function parseVariables(yaml: string): Variables {
  const parsed = v.safeParse(file, parse(yaml));
  if (parsed.success) return parsed.output;
  const [{ message, path }] = parsed.issues;
  throw new Error(`variables.yaml, ${(path ?? []).map(({ key }) => key).join('.')}: ${message}`);
}
