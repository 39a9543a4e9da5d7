import { ANY, type CharClass, compileSigns, type Sign, STAR } from './signs.ts';

/** True if the text is a pattern. */
export const GLOB: RegExp = /[*?[{(]/;
const DEEP = '**';

/** `**`: any number of directories. */
export function isDeep(segment: string): boolean {
  return segment === DEEP;
}

/** A pattern for one name. With `dot`, a leading wildcard also matches a dot, unlike a shell's. */
export function segmentTest(glob: string, dot: boolean): (name: string) => boolean {
  const signs = parseSegment(glob);
  const test = compileSigns(signs);
  if (signs.every((sign) => sign === STAR) && signs.length > 0)
    return (name) => name !== '' && (dot || !name.startsWith('.'));
  const [first] = signs;
  if (dot || (first !== STAR && first !== ANY)) return test;
  return (name) => !name.startsWith('.') && test(name);
}

/**
 * A pattern for paths: `*` and `?` stay within a name, `[a-z]` is a class, `**` as a whole name is any number of
 * directories, `\` makes a character literal. As with stars in a name, only the last `**` is retried, so the cost is at
 * most the product of the lengths.
 */
export function compileGlob(glob: string): (path: string) => boolean {
  const wanted = testsOf(segmentsIn(glob));
  return (path) => {
    const names = namesOf(path);
    let at = 0;
    let to = 0;
    let deep = -1;
    let taken = 0;
    while (at < names.length) {
      const test = wanted[to];
      if (test === null) {
        deep = to;
        taken = at;
        to += 1;
      } else if (test?.(names[at] ?? '')) {
        to += 1;
        at += 1;
      } else if (deep >= 0) {
        taken += 1;
        at = taken;
        to = deep + 1;
      } else return false;
    }
    while (wanted[to] === null) to += 1;
    return to === wanted.length;
  };
}

type NameTest = ((name: string) => boolean) | null;

/** `a/**` is `a` and what lies in it, but `a*` + `/**` only what lies in folders: the star may stand for files. */
function testsOf(all: readonly string[]): readonly NameTest[] {
  const segments = all.filter((segment, at) => !isDeep(segment) || segment !== all[at - 1]);
  const tests: NameTest[] = segments.map((segment) => (isDeep(segment) ? null : segmentTest(segment, true)));
  const folder = segments.at(-2) ?? '';
  const isBelowStar = isDeep(segments.at(-1) ?? '') && !isDeep(folder) && /(?<!\\)\*$/.test(folder);
  return isBelowStar ? [...tests, () => true] : tests;
}

/** The directory that contains every match; the whole pattern if it has no wildcard. */
export function literalBase(glob: string): string {
  const segments = segmentsIn(glob);
  const wild = segments.findIndex((segment) => /[*?[\\]/.test(segment));
  const base = segments.slice(0, wild < 0 ? segments.length : wild).join('/');
  return base === '' && glob.startsWith('/') ? '/' : base;
}

let last: { readonly path: string; readonly names: readonly string[] } = { path: '', names: [] };

/** Cached, because many patterns are compared with one path. */
function namesOf(path: string): readonly string[] {
  if (last.path !== path) last = { path, names: segmentsIn(path) };
  return last.names;
}

/** An absolute path begins with an empty name; a trailing slash has no meaning. */
function segmentsIn(path: string): string[] {
  const segments = path.split('/');
  if (segments.length > 1 && segments.at(-1) === '') segments.pop();
  return segments;
}

function parseSegment(glob: string): Sign[] {
  const signs: Sign[] = [];
  for (let at = 0; at < glob.length; at += 1) {
    const sign = glob.charAt(at);
    if (sign === '*') {
      if (signs.at(-1) !== STAR) signs.push(STAR);
    } else if (sign === '?') signs.push(ANY);
    else if (sign === '\\' && at + 1 < glob.length) {
      at += 1;
      signs.push(glob.charAt(at));
    } else {
      const found = sign === '[' ? parseClass(glob, at) : null;
      signs.push(found?.parsed ?? sign);
      if (found) at = found.end;
    }
  }
  return signs;
}

const NAMED: ReadonlyMap<string, RegExp> = new Map([
  ['alnum', /[a-z0-9]/i],
  ['alpha', /[a-z]/i],
  ['blank', /[ \t]/],
  ['cntrl', /\p{Cc}/u],
  ['digit', /[0-9]/],
  ['graph', /[!-~]/],
  ['lower', /[a-z]/],
  ['print', /[ -~]/],
  ['punct', /[!-/:-@[-`{-~]/],
  ['space', /\s/],
  ['upper', /[A-Z]/],
  ['xdigit', /[0-9a-f]/i],
]);

/** `[:digit:]`, and what bash treats as one character: `[.a.]`, `[=a=]`. */
const BRACKETED = /\[(?::([^:\]]*):|([.=])([^\]])\2)\]/y;

/** `[a-z]`, `[!a-z]`, `[[:digit:]]`; null for an unclosed bracket, which is literal. */
function parseClass(glob: string, open: number): { readonly parsed: CharClass; readonly end: number } | null {
  const negated = /[!^]/.test(glob.charAt(open + 1));
  const ranges: (readonly [from: string, to: string])[] = [];
  const named: RegExp[] = [];
  const start = open + (negated ? 2 : 1);
  for (let at = start; at < glob.length; at += 1) {
    const sign = glob.charAt(at);
    if (sign === ']' && at > start) {
      const has = (one: string) =>
        ranges.some(([from, to]) => from <= one && one <= to) || named.some((form) => form.test(one));
      return { parsed: { negated, has }, end: at };
    }
    BRACKETED.lastIndex = at;
    const [whole, name = '', , same] = BRACKETED.exec(glob) ?? [];
    if (whole !== undefined) {
      // A class unknown to bash has no members, and the others still count.
      const form = NAMED.get(name);
      if (form) named.push(form);
      if (same !== undefined) ranges.push([same, same]);
      at += whole.length - 1;
      continue;
    }
    if (sign === '\\' && at + 1 < glob.length) at += 1;
    const from = glob.charAt(at);
    const to = glob.charAt(at + 2);
    const isRange = glob.charAt(at + 1) === '-' && to !== '' && to !== ']';
    ranges.push([from, isRange ? to : from]);
    if (isRange) at += 2;
  }
  return null;
}
