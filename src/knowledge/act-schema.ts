import * as v from 'valibot';
import { parse } from 'yaml';
import { ACTS, type ActLine, type DeedName, OBJECTS, type ProgramAct } from './acts.ts';

function isDeedName(name: unknown): boolean {
  const [act, object, ...others] = typeof name === 'string' ? name.split(' ') : [];
  return ACTS.some((one) => one === act) && OBJECTS.some((one) => one === object) && others.length === 0;
}

export const deedName = v.custom<DeedName>(
  isDeedName,
  'an act and its object, of those in src/knowledge/acts.ts',
);

/** Commands without the name of the program, in the notation of rules; an empty text is the program, whatever follows. */
const patterns = v.union([
  v.pipe(
    v.literal('always'),
    v.transform(() => ['']),
  ),
  v.pipe(
    v.array(v.pipe(v.string(), v.nonEmpty())),
    v.minLength(1),
    v.check((list) => new Set(list).size === list.length, 'a command twice'),
  ),
]);

/** What a program does with some of its words, beside its effects. */
export const acts = v.pipe(
  v.record(v.string(), patterns),
  v.transform((deeds) => Object.entries(deeds).map(([deed, commands]) => ({ deed, commands }))),
  v.array(v.object({ deed: deedName, commands: v.array(v.string()) })),
);

/** Reads `acts.yaml`, when Hookline is built. */
export function parseActs(yaml: string): readonly ActLine[] {
  const lines = Object.entries(parseFile('acts.yaml', v.record(v.string(), deedName), yaml)).map(
    ([text, deed]) => ({ words: text.split(' '), deed }),
  );
  for (const [at, { words }] of lines.entries()) {
    const before = lines.slice(0, at).find((line) => line.words.every((word) => words.includes(word)));
    if (before) throw new Error(`acts.yaml: ${words.join(' ')} is never reached: ${before.words.join(' ')}`);
  }
  return lines;
}

/** Reads `any-program.yaml`, too. */
export function parseAnyActs(yaml: string): readonly ProgramAct[] {
  return parseFile('any-program.yaml', acts, yaml);
}

function parseFile<Schema extends v.GenericSchema>(
  file: string,
  schema: Schema,
  yaml: string,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, parse(yaml));
  if (parsed.success) return parsed.output;
  const [{ message, path }] = parsed.issues;
  throw new Error(`${file}, ${(path ?? []).map(({ key }) => key).join('.')}: ${message}`);
}
