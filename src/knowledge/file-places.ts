import * as v from 'valibot';
import { parse } from 'yaml';

/** Files of which each has lists of patterns for paths or addresses, by the names that rules have for them. */
const FILES = { installers: 'installers', leftovers: 'leftovers', secrets: 'secrets/files' } as const;
export type FileList = keyof typeof FILES;

/** Patterns by the name of what they are. */
type FilePlaces = Readonly<Record<string, readonly string[]>>;
export type FileLists = Readonly<Record<FileList, FilePlaces>>;

export const patterns = v.pipe(
  v.array(v.pipe(v.string(), v.nonEmpty())),
  v.minLength(1, 'a name that stands for nothing'),
  v.check((list) => new Set(list).size === list.length, 'a pattern that stands there twice'),
);
const places = v.record(
  v.pipe(v.string(), v.regex(/^[a-z]+(?:-[a-z]+)*$/, 'a name has lowercase letters only')),
  patterns,
);

/** Reads them when Hookline is built. `own` are the files that programs keep secrets in. */
export function parseFileLists(read: (file: string) => string, own: readonly FilePlaces[]): FileLists {
  return {
    leftovers: parseFile(FILES.leftovers, read),
    installers: parseFile(FILES.installers, read),
    secrets: together([parseFile(FILES.secrets, read), ...own]),
  };
}

function parseFile(file: string, read: (file: string) => string): FilePlaces {
  const parsed = v.safeParse(places, parse(read(file)));
  if (parsed.success) return parsed.output;
  const [{ message, path }] = parsed.issues;
  throw new Error(`${file}.yaml, ${(path ?? []).map(({ key }) => key).join('.')}: ${message}`);
}

function together(lists: readonly FilePlaces[]): FilePlaces {
  const all = new Map<string, Set<string>>();
  for (const [name, list] of lists.flatMap((one) => Object.entries(one)))
    all.set(name, new Set([...(all.get(name) ?? []), ...list]));
  return Object.fromEntries([...all].map(([name, list]) => [name, [...list]]));
}
