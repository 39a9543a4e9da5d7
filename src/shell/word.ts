import type { Output, Word } from './analysis.ts';
import { hasUnknown } from './placeholders.ts';

/** Makes a word from its template. */
export function makeWord(template: string, raw: string, glob = false): Word {
  const dynamic = hasUnknown(template);
  return { text: dynamic ? null : template, raw, dynamic, glob, template };
}

export function makeOutput(template: string, sources: readonly number[]): Output {
  return { text: known(template), template, sources };
}

/** The rest of a word, as the value of `--name=value` or `-xvalue`. */
export function tail(word: Word, from: number): Word {
  const at = word.raw.indexOf(word.template.slice(from));
  return makeWord(word.template.slice(from), at >= 0 ? word.raw.slice(at) : word.raw, word.glob);
}

export function known(template: string): string | null {
  return hasUnknown(template) ? null : template;
}

/** Joins words into one line, as `eval`, `ssh` and `watch` do. */
export function joinWords(words: readonly Word[]): string {
  return words.map((word) => word.template).join(' ');
}

/** Indices of commands from the first to the one before `to`. */
export function range(from: number, to: number): number[] {
  const out: number[] = [];
  for (let i = from; i < to; i++) out.push(i);
  return out;
}
