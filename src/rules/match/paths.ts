import { relative } from 'node:path';
import picomatch from 'picomatch';

/** A place that a call touches. `path` is null when it cannot be known; `prefix` is then what is known of it. */
export interface Touched {
  readonly path: string | null;
  readonly prefix: string | null;
  readonly glob: boolean;
  /** Everything below is touched as well. */
  readonly recursive: boolean;
}

/** Where patterns start from. */
export interface PathScope {
  readonly home: string | null;
  readonly project: string | null;
  /** The path with its symbolic links followed, as far as it exists. */
  real(path: string): string;
}

export type PathMatch = (touched: Touched, scope: PathScope) => boolean;

/** Stands for a path that cannot be known before the command runs. */
const UNKNOWN_PATH = '<unknown>';

/**
 * A pattern for paths: absolute, from the home (`~/…`), anywhere (`**` first), or from the project. A recursive
 * deletion of a folder touches what lies in it, so it also matches patterns for what lies in it.
 */
export function pathMatch(pattern: string): PathMatch {
  if (pattern === UNKNOWN_PATH)
    return ({ path, prefix }) => path === null && (prefix === null || prefix === '/');
  const cached = new Map<string, Compiled>();
  const compiledFor = (scope: PathScope): Compiled | null => {
    const full = anchored(pattern, scope);
    if (full === null) return null;
    let found = cached.get(full);
    if (!found) {
      if (cached.size > 200) cached.clear();
      found = compile(full);
      cached.set(full, found);
    }
    return found;
  };
  return (touched, scope) => {
    const compiled = compiledFor(scope);
    return compiled !== null && touches(compiled, touched, scope);
  };
}

interface Compiled {
  /** The folder that all matches lie in. */
  readonly base: string;
  test(path: string): boolean;
}

function compile(pattern: string): Compiled {
  const { base } = picomatch.scan(pattern);
  const test = picomatch(pattern, { dot: true, nonegate: true });
  return { base: base === '.' ? '' : base, test };
}

function anchored(pattern: string, { home, project }: PathScope): string | null {
  if (pattern === '~' || pattern.startsWith('~/')) return home === null ? null : `${home}${pattern.slice(1)}`;
  if (pattern.startsWith('/') || pattern.startsWith('**')) return pattern;
  return project === null ? null : `${project}/${pattern.replace(/^\.\//, '')}`;
}

function touches(pattern: Compiled, touched: Touched, scope: PathScope): boolean {
  const { path, prefix, glob, recursive } = touched;
  if (path === null) return prefix !== null && pattern.base !== '' && isWithin(prefix, pattern.base);
  if (pattern.test(path)) return true;
  const folder = glob ? staticFolder(path) : path;
  // A pattern of files that are about to be deleted, or a folder with all that is in it.
  if ((recursive || glob) && pattern.base !== '' && isWithin(pattern.base, folder)) return recursive || glob;
  if (glob) return false;
  const real = scope.real(path);
  return (
    real !== path &&
    (pattern.test(real) || (recursive && pattern.base !== '' && isWithin(pattern.base, real)))
  );
}

function staticFolder(path: string): string {
  const { base } = picomatch.scan(path);
  return base;
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith('../') || way.startsWith('/'));
}
