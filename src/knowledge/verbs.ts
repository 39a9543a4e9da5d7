import * as v from 'valibot';
import { parse } from 'yaml';

/** Where a verb that takes something away may count. knowledge/verbs.yaml says what each is. */
const USES = [
  'subcommand',
  'last-part',
  'option',
  'operation',
  'undescribed',
  'undescribed-last-part',
  'request',
  'address',
  'query',
  'tool',
  'tool-big',
  'tool-flag',
  'tool-file',
  'click',
] as const;
export type VerbUse = (typeof USES)[number];

/** The verbs of each use. */
export type Verbs = Readonly<Record<VerbUse, readonly string[]>>;

const vocabulary = v.strictObject({
  removes: v.record(
    v.pipe(v.string(), v.regex(/^[a-z]+(?:-[a-z]+)*$/, 'a verb has lowercase letters only')),
    v.pipe(v.array(v.picklist(USES)), v.minLength(1, 'a verb that counts nowhere')),
  ),
});

/** Reads verbs.yaml, when Hookline is built. */
export function parseVerbs(yaml: string): Verbs {
  const parsed = v.safeParse(vocabulary, parse(yaml));
  if (!parsed.success) {
    const [{ message, path }] = parsed.issues;
    throw new Error(`verbs.yaml, ${(path ?? []).map(({ key }) => key).join('.')}: ${message}`);
  }
  const verbs = Object.entries(parsed.output.removes);
  const of = (use: VerbUse) => verbs.flatMap(([verb, uses]) => (uses.includes(use) ? [verb] : []));
  // As a list of pairs the keys would be any text.
  return v.parse(
    v.strictObject(v.entriesFromList(USES, v.array(v.string()))),
    Object.fromEntries(USES.map((use) => [use, of(use)])),
  );
}
