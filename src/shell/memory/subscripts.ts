import type { Assignment, Stdin, Word } from '../analysis.ts';
import type { Reentry } from '../reentry.ts';
import type { Walk } from '../walk.ts';

/** Words of the shell that take texts for names of variables, or for numbers. */
const TAKE_NAMES: ReadonlySet<string> = new Set(
  'test [ let printf unset read declare typeset local export readonly wait mapfile readarray getopts set'.split(
    ' ',
  ),
);

/** The words of a command that it may take for names. Those of `printf` are text without `-v`. */
export function namesGiven(name: string | null, argv: readonly Word[]): readonly string[] {
  if (name === null || !TAKE_NAMES.has(name)) return NO_TEXTS;
  const words = argv.slice(1);
  return name === 'printf' && !words[0]?.template.startsWith('-v')
    ? []
    : words.map(({ template }) => template);
}

/** Words of the shell that put what they read into variables. */
const TAKE_INPUT: ReadonlySet<string> = new Set(['read', 'mapfile', 'readarray']);

/** What a command reads into variables, which may be used as numbers later. */
export function textsRead(name: string | null, { template }: Stdin): readonly string[] {
  return name !== null && TAKE_INPUT.has(name) ? template.split('\n').slice(0, MOST_LINES) : NO_TEXTS;
}

const MOST_LINES = 50;
const NO_TEXTS: readonly string[] = [];

/** No line of a text that anyone writes. */
const END = 'END_OF_SUBSCRIPT';

/**
 * Where bash takes a text for the name of a variable, or for a number, it runs what stands in its brackets, however it
 * was quoted: `test -v 'a[$(command)]'`.
 */
export function runSubscripts(walk: Walk, reentry: Reentry, texts: readonly string[]): void {
  for (const text of texts) {
    const at = text.search(/\w\[/);
    if (at < 0 || !/\$[({]|`/.test(text.slice(at))) continue;
    // The same is expanded in a document as in brackets, and no quote there ends it.
    reentry.text(walk, `: <<${END}\n${text}\n${END}\n`, { via: 'a subscript' });
  }
}

/** What variables are set to: any of them may be used as a number later. */
export function assignedTexts({ state }: Walk, assignments: readonly Assignment[]): readonly string[] {
  if (assignments.length === 0) return NO_TEXTS;
  return assignments.flatMap(({ name, value }) => {
    const variable = value === null ? state.variables.get(name) : undefined;
    return value ?? [variable?.value ?? '', ...(variable?.list ?? []).flatMap((item) => item ?? [])];
  });
}
