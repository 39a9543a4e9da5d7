import { isObject } from '../model/json.ts';
import { escapeRegExp } from '../model/text.ts';
import { redact } from '../redact/redact.ts';

/** The machine that values come from. */
interface Machine {
  /** Directories in all their spellings. */
  readonly homes: readonly string[];
  readonly projects: readonly string[];
  readonly user: string | null;
  /** The name of the machine. */
  readonly host?: string;
}

/** As in the fixtures of every agent. */
const HOME = '/home/dev';
const PROJECT = '/home/dev/shop';
const USER = 'dev';
const HOST = 'machine';

/**
 * For values that leave this machine: redacts secrets again, and replaces home, project and user with those of the
 * fixtures.
 */
export function anonymizer({ homes, projects, user, host }: Machine): (value: unknown) => unknown {
  const places = [
    ...projects.map((path) => [path, PROJECT] as const),
    ...homes.map((path) => [path, HOME] as const),
  ]
    .filter(([path]) => path.length > 1)
    // A project inside the home comes before the home itself.
    .sort(([a], [b]) => b.length - a.length)
    .flatMap(([path, instead]) => [[path, instead] as const, [slug(path), slug(instead)] as const]);
  const named = (name: string | null | undefined, instead: string) =>
    name && name.length > 2 && name !== 'localhost' ? [[word(name), instead] as const] : [];
  // Shells show the first part of a machine's name.
  const names = [...named(user, USER), ...named(host, HOST), ...named(host?.split('.')[0], HOST)];
  const text = (given: string) => {
    const placed = places.reduce((so, [path, instead]) => so.replaceAll(path, instead), given);
    return names.reduce((so, [name, instead]) => so.replace(name, instead), placed);
  };
  return (value) => mapTexts(JSON.parse(redact(JSON.stringify(value ?? null))), text);
}

/** Clients name files after directories, with a dash for anything but letters. */
function slug(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, '-');
}

/** As a whole word in any case, because people capitalize their names. */
function word(text: string): RegExp {
  return new RegExp(`(?<![\\w-])${escapeRegExp(text)}(?![\\w-])`, 'gi');
}

/** The same value with every text in it changed, including field names. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [change(key), mapTexts(one, change)]));
}

/** Number of redacted texts by kind: `github-token`, or `secret`. */
export function redactionsIn(text: string): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [, kind = 'secret'] of text.matchAll(/\[redacted(?::([\w-]+))?\]/g))
    counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
