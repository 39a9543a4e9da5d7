import type { SimpleCommand } from '../analysis.ts';

/** Fewer letters say next to nothing. */
const LEAST = 3;
const MAX_ALTERNATIVES = 8;

/**
 * The names that a filter by expressions lets through, as patterns: `grep '\.pyc$'` after a search is the same as
 * `-name '*.pyc'` in it. Only where each expression is about the end of a path: what stands elsewhere may be the name
 * of a folder, with whatever is in it. Null where that is not known, or it is not such a filter.
 */
export function grepped({ tool, options, operands }: SimpleCommand): readonly string[] | null {
  const has = (...names: string[]) => options.some(({ name }) => names.includes(name));
  const pattern = operands[0]?.text ?? null;
  if (!GREPS.test(tool ?? '') || operands.length !== 1 || pattern === null) return null;
  if (has('--invert-match', '--regexp', '--file', '--perl-regexp', '--fixed-strings')) return null;
  const parts = alternatives(pattern, tool === 'egrep' || has('--extended-regexp'));
  if (parts.length > MAX_ALTERNATIVES) return null;
  const names = parts.flatMap((part) => nameOf(part) ?? madeName(part) ?? []);
  if (names.length < parts.length) return null;
  return has('--ignore-case') ? [...names, ...names.map((name) => name.toLowerCase())] : names;
}

const GREPS = /^e?grep$/;

function alternatives(pattern: string, isExtended: boolean): readonly string[] {
  if (!isExtended) return pattern.split('\\|');
  const inner = /^\(([^()]*)\)(\$?)$/.exec(pattern);
  return (inner?.[1] ?? pattern).split('|').map((part) => part + (inner?.[2] ?? ''));
}

/** What nothing but a program is called: wherever it stands in a path, all of it is made again. */
const MADE = /^(?:\/?__pycache__\/?|\\?\.py[co]|\/?\\?\.DS_Store)$/;

function madeName(pattern: string): string | null {
  if (!MADE.test(pattern)) return null;
  const name = pattern.replace(/[\\/]/g, '');
  return name.startsWith('.py') ? `*${name}` : name;
}

/** `\.pyc$` is `*.pyc`, `/build$` is `build`; a point of an expression is any letter. */
function nameOf(pattern: string): string | null {
  const found = /^(\/?)((?:[\w -]|\\?\.|\\[-_])+)\$$/.exec(pattern);
  const [, slash = '', letters = ''] = found ?? [];
  const name = letters
    .replace(/\\([-_])/g, '$1')
    .replace(/(\\?)\./g, (_, backslash: string) => (backslash ? '.' : '?'));
  return name.replace(/\?/g, '').length < LEAST ? null : `${slash === '' ? '*' : ''}${name}`;
}
