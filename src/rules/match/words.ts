import picomatch from 'picomatch';

/** A pattern of plain words: `*` stands for anything, everything else for itself. */
export type WordMatch = (word: string) => boolean;

const compiled = new Map<string, WordMatch>();

/** Globs without the meaning of slashes: for names, hosts, branches and arguments. */
export function wordMatch(pattern: string): WordMatch {
  const known = compiled.get(pattern);
  if (known) return known;
  const match = /[*?[{]/.test(pattern) ? globMatch(pattern) : (word: string) => word === pattern;
  compiled.set(pattern, match);
  return match;
}

function globMatch(pattern: string): WordMatch {
  // A star in an argument stands for slashes too: `curl https://x/*`.
  const expression = picomatch.makeRe(pattern, { dot: true, bash: true, nonegate: true });
  return (word) => expression.test(word);
}

/** One text or several, as people write them. */
export function listed(value: string | readonly string[]): readonly string[];
export function listed(value: string | readonly string[] | undefined): readonly string[] | null;
export function listed(value: string | readonly string[] | undefined): readonly string[] | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? [value] : value;
}
