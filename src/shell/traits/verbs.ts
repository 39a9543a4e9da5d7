import type { Word } from '../analysis.ts';
import type { Call } from '../call.ts';

/** All words except options and their values. The program's own table may not say which of them are verbs. */
export function plainWords({ command: { argv, options } }: Call): readonly Word[] {
  const taken = new Set(options.flatMap(({ raw, value }) => (value ? [raw, value.raw] : [raw])));
  return argv.slice(1).filter(({ raw }) => !taken.has(raw) && raw !== '--');
}

/** Number of words of the verb; null if the command has another one. */
export function verbLength(
  verbs: readonly (readonly string[])[] | undefined,
  words: readonly Word[],
): number | null {
  if (verbs === undefined) return 0;
  const verb = verbs.find((one) => one.every((part, at) => part === (words[at]?.text ?? '')));
  return verb?.length ?? null;
}
