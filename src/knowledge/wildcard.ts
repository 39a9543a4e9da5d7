import type { Saying } from './traits.ts';

/** Whether a text looks like a pattern, in which `*` stands for any text. Takes as long as the text is. */
export function isLike(text: string, pattern: string): boolean {
  const parts = pattern.split('*');
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}

/** Whether words of a line say what a file says of them. */
export function saysSo(text: string, { begins, says, except = [] }: Saying): boolean {
  const line = ` ${text} `;
  const isBegun = (phrase: string) =>
    phrase.endsWith('*') ? text.startsWith(phrase.slice(0, -1)) : line.startsWith(` ${phrase} `);
  const isSaid = (phrase: string) =>
    phrase.endsWith('*') ? ` ${text}`.includes(` ${phrase.slice(0, -1)}`) : line.includes(` ${phrase} `);
  return (begins?.some(isBegun) ?? true) && (says?.some(isSaid) ?? true) && !except.some(isBegun);
}

/** Whether a line has a phrase, from where a word begins to where one ends; one that ends in `*` may end within a word. */
export function says(line: string, phrase: string): boolean {
  for (let at = line.indexOf(begun(phrase)); at >= 0; at = line.indexOf(begun(phrase), at + 1))
    if ((at === 0 || line[at - 1] === ' ') && begins(line.slice(at), phrase)) return true;
  return false;
}

/** The same at the beginning of the line. */
export function begins(line: string, phrase: string): boolean {
  const text = begun(phrase);
  if (!line.startsWith(text)) return false;
  return text !== phrase || !/\w$/.test(text) || !/^\w/.test(line.slice(text.length));
}

const begun = (phrase: string): string => phrase.replace(/\*$/, '');
