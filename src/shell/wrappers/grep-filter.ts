import type { SimpleCommand } from '../analysis.ts';

/** Fewer letters select almost nothing. */
const LEAST = 3;
const MAX_ALTERNATIVES = 8;

/**
 * The names that a filter by regular expression selects, as patterns: `grep '\.pyc$'` after a search equals `-name
 * '*.pyc'`. Requires every expression to match the end of a path, because elsewhere it may match a directory with any
 * content. Null if unknown, or for other commands.
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

/** Names used only by programs: anywhere in a path, they mark files that can be rebuilt. */
const MADE = /^(?:\/?__pycache__\/?|\\?\.py[co]|\/?\\?\.DS_Store)$/;

function madeName(pattern: string): string | null {
  if (!MADE.test(pattern)) return null;
  const name = pattern.replace(/[\\/]/g, '');
  return name.startsWith('.py') ? `*${name}` : name;
}

/** `\.pyc$` is `*.pyc`, `/build$` is `build`; a dot in an expression is any character. */
function nameOf(pattern: string): string | null {
  const found = /^(\/?)((?:[\w -]|\\?\.|\\[-_])+)\$$/.exec(pattern);
  const [, slash = '', letters = ''] = found ?? [];
  const name = letters
    .replace(/\\([-_])/g, '$1')
    .replace(/(\\?)\./g, (_, backslash: string) => (backslash ? '.' : '?'));
  return name.replace(/\?/g, '').length < LEAST ? null : `${slash === '' ? '*' : ''}${name}`;
}
