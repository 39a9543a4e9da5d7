import { anyWordFor } from '../knowledge/load.ts';
import type { ToolCall } from '../model/tools.ts';
import { once } from '../platform/bounded.ts';

/** One text among the arguments, with the name it stands under. */
export interface Text {
  readonly key: string;
  readonly text: string;
}

const MAX_VALUES = 200;
const MAX_DEPTH = 4;
/** No argument that means something here has a longer one. */
const LONGEST_NAME = 64;

/** Every text among the arguments; those of a list stand under the list's name. */
export function textsIn(input: unknown): Text[] {
  const found: Text[] = [];
  const look = (value: unknown, key: string, depth: number): void => {
    if (found.length >= MAX_VALUES || depth > MAX_DEPTH) return;
    if (typeof value === 'string') found.push({ key, text: value });
    else if (Array.isArray(value)) for (const one of value) look(one, key, depth + 1);
    else if (typeof value === 'object' && value !== null)
      for (const [name, one] of Object.entries(value)) look(one, name.slice(0, LONGEST_NAME), depth + 1);
  };
  look(input, '', 0);
  return found;
}

/** `readFile` and `read-file` are `read_file`. */
export function snake(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[-.\s/]+/g, '_')
    .toLowerCase();
}

/** The words of a name: `deleteManyUsers` is `delete`, `many`, `users`. */
export function wordsOf(name: string): readonly string[] {
  return snake(name)
    .split('_')
    .filter((word) => word !== '');
}

/** Code that runs in a page cannot do anything here. */
export const IN_A_PAGE = /browser|page(?!r)|playwright|puppeteer|chrome|devtools|selenium/i;

export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Words with which the name of a tool begins that only looks. */
export const LOOKS: ReadonlySet<string> = wordSet(
  'get list search find describe show count read query check is has can preview plan validate',
);

/** The words of a tool's name from its verb on: `API-delete-a-block` deletes, and so does `notion_delete_page`. */
export function verbWords({ mcp }: ToolCall, verb: string): readonly string[] {
  const before = new Set(['api', 'mcp', 'tool', ...wordsOf(mcp?.server ?? '')]);
  const named = wordsOf(verb);
  const first = named.findIndex((word) => !before.has(word));
  return first <= 0 ? named : named.slice(first);
}

/** Names of what people use for real: `shop-prod`, `live`, `db.production`, `shopprod`. */
const production = once(
  () =>
    new RegExp(
      `(?:^|[^a-z])${anyWordFor('production-tool')}(?:[^a-z]|$)|[a-z]{3}${anyWordFor('production-end')}$`,
      'i',
    ),
);
/** Names of what is there to try something out. */
const tried = once(() => new RegExp(`(?:^|[^a-z])${anyWordFor('passing-tool')}(?:[^a-z]|$)`, 'i'));
const LONGEST_LABEL = 200;

export function isProduction(texts: readonly Text[]): boolean {
  return texts.some(({ text }) => text.length < LONGEST_LABEL && production().test(text));
}

/** Whether a name says that nobody uses it for real. */
export function isForTrial(name: string): boolean {
  return name.length < LONGEST_LABEL && tried().test(name) && !production().test(name);
}
