/** A pattern of plain words: `*` stands for anything, `?` for one sign, `{a,b}` for either, the rest for itself. */
export type WordMatch = (word: string) => boolean;

const compiled = new Map<string, WordMatch>();

/** Globs without the meaning of slashes and dots: for names, hosts, branches and arguments. */
export function wordMatch(pattern: string): WordMatch {
  const known = compiled.get(pattern);
  if (known) return known;
  const match = /[*?{]/.test(pattern) ? globMatch(pattern) : (word: string) => word === pattern;
  compiled.set(pattern, match);
  return match;
}

function globMatch(pattern: string): WordMatch {
  if (pattern === '*') return () => true;
  const source = pattern.replace(/\*+|\?|\{[^{}]*\}|[\\^$.|+()[\]{}]/g, (found) => {
    if (found.startsWith('*')) return '[^]*';
    if (found === '?') return '[^]';
    return found.length > 1 ? `(?:${alternatives(found.slice(1, -1))})` : `\\${found}`;
  });
  const expression = new RegExp(`^${source}$`);
  return (word) => expression.test(word);
}

function alternatives(list: string): string {
  return list
    .split(',')
    .map((one) => one.replace(/[\\^$.|+()[\]*?]/g, '\\$&'))
    .join('|');
}

/** One text or several, as people write them. */
export function listed(value: string | readonly string[]): readonly string[];
export function listed(value: string | readonly string[] | undefined): readonly string[] | null;
export function listed(value: string | readonly string[] | undefined): readonly string[] | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? [value] : value;
}
