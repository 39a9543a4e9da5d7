import type { Assignment, Stdin, Word } from '../analysis.ts';
import type { Reentry } from '../reentry.ts';
import type { Walk } from '../walk.ts';

/** Shell builtins that take text as variable names or numbers. */
const TAKE_NAMES: ReadonlySet<string> = new Set(
  'test [ let printf unset read declare typeset local export readonly wait mapfile readarray getopts set'.split(
    ' ',
  ),
);

/** The words of a command that may be variable names. Words of `printf` are text without `-v`. */
export function namesGiven(name: string | null, argv: readonly Word[]): readonly string[] {
  if (name === null || !TAKE_NAMES.has(name)) return NO_TEXTS;
  const words = argv.slice(1);
  return name === 'printf' && !words[0]?.template.startsWith('-v')
    ? []
    : words.map(({ template }) => template);
}

/** Builtins that read input into variables. */
const TAKE_INPUT: ReadonlySet<string> = new Set(['read', 'mapfile', 'readarray']);

/** Input that a command reads into variables, which may later be used as numbers. */
export function textsRead(name: string | null, { template }: Stdin): readonly string[] {
  return name !== null && TAKE_INPUT.has(name) ? template.split('\n').slice(0, MOST_LINES) : NO_TEXTS;
}

const MOST_LINES = 50;
const NO_TEXTS: readonly string[] = [];

/** A delimiter that no real text contains. */
const END = 'END_OF_SUBSCRIPT';

/**
 * Where bash evaluates a text as a variable name or a number, it runs substitutions in its brackets, even if they were
 * quoted: `test -v 'a[$(command)]'`.
 */
export function runSubscripts(walk: Walk, reentry: Reentry, texts: readonly string[]): void {
  for (const text of texts) {
    const at = text.search(/\w\[/);
    if (at < 0 || !/\$[({]|`/.test(text.slice(at))) continue;
    // A here-document expands like a subscript, and quotes don't end it.
    reentry.text(walk, `: <<${END}\n${text}\n${END}\n`, { via: 'a subscript' });
  }
}

/** Assigned values, each of which may later be used as a number. */
export function assignedTexts({ state }: Walk, assignments: readonly Assignment[]): readonly string[] {
  if (assignments.length === 0) return NO_TEXTS;
  return assignments.flatMap(({ name, value }) => {
    const variable = value === null ? state.variables.get(name) : undefined;
    return value ?? [variable?.value ?? '', ...(variable?.list ?? []).flatMap((item) => item ?? [])];
  });
}
