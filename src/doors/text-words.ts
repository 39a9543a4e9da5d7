/** One text among the arguments, with the name it stands under. */
export interface Text {
  readonly key: string;
  readonly text: string;
}

const MAX_VALUES = 200;
const MAX_NODES = 4000;
/** No argument that means something here has a longer one. */
const LONGEST_NAME = 64;

/** All scalar values in the arguments, in order; an item of a list has the list's name. */
export function* valuesIn(input: unknown): Generator<readonly [key: string, value: unknown]> {
  const open: [string, unknown][] = [['', input]];
  for (let nodes = 0; nodes < MAX_NODES; nodes++) {
    const next = open.pop();
    if (next === undefined) return;
    const [key, value] = next;
    if (typeof value !== 'object' || value === null) yield next;
    else if (Array.isArray(value)) for (let at = value.length - 1; at >= 0; at--) open.push([key, value[at]]);
    else
      for (const [name, one] of Object.entries(value).reverse())
        open.push([name.slice(0, LONGEST_NAME), one]);
  }
}

/** Every text among the arguments; those of a list stand under the list's name. */
export function textsIn(input: unknown): Text[] {
  const found: Text[] = [];
  for (const [key, text] of valuesIn(input)) {
    if (typeof text === 'string') found.push({ key, text });
    if (found.length >= MAX_VALUES) break;
  }
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

/** `repository` of `repositories`. The result need not be a word. */
export function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || word.endsWith('ss')) return word;
  return word.replace(/ies$/, 'y').replace(/(?<=x|ch|sh)es$|s$/, '');
}
