import picomatch from 'picomatch';
import { UNKNOWN } from '../../shell/analysis.ts';
import { expandBraces, globSegments, mayMeet } from './globs.ts';

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

/** Patterns for paths: absolute, from the home (`~/…`), anywhere (`**` first), or from the project. */
export interface PathPatterns {
  /**
   * Is some of what they name touched? A folder that is deleted takes along what lies in it, and a glob touches
   * whatever it may come to.
   */
  touch(touched: Touched, scope: PathScope): boolean;
  /** Does everything that is touched lie in what one of them names? */
  cover(touched: Touched, scope: PathScope): boolean;
}

/** Stands for a path that cannot be known before the command runs. */
const UNKNOWN_PATH = '<unknown>';

export function pathPatterns(globs: readonly string[]): PathPatterns {
  const known = globs.filter((glob) => glob !== UNKNOWN_PATH).flatMap(expandBraces);
  const unknownToo = known.length < globs.length && globs.includes(UNKNOWN_PATH);
  const compiledIn = rememberPlaces((home: string | null, project: string | null) =>
    known.flatMap((glob) => anchored(glob, home, project) ?? []).map(compileOnce),
  );
  return {
    touch(touched, scope) {
      if (unknownToo && isUnknown(touched)) return true;
      const compiled = compiledIn(scope.home, scope.project);
      if (reached(compiled, touched)) return true;
      const real = follow(touched, scope);
      return real !== null && (reached(compiled, real) || reached(reallyIn(known, scope), real));
    },
    cover(touched, scope) {
      if (unknownToo && isUnknown(touched)) return true;
      const compiled = compiledIn(scope.home, scope.project);
      if (!compiled.some((one) => holds(one, touched))) return false;
      const real = follow(touched, scope);
      if (real === null) return true;
      return (
        compiled.some((one) => holds(one, real)) || reallyIn(known, scope).some((one) => holds(one, real))
      );
    },
  };
}

const REMEMBERED_PLACES = 64;

/** The home and the project are nearly always those of the call before, or of one not long ago. */
function rememberPlaces<T>(
  make: (home: string | null, project: string | null) => T,
): (home: string | null, project: string | null) => T {
  let last: { readonly home: string | null; readonly project: string | null; readonly made: T } | null = null;
  const known = new Map<
    string,
    { readonly home: string | null; readonly project: string | null; readonly made: T }
  >();
  return (home, project) => {
    if (last !== null && last.home === home && last.project === project) return last.made;
    const key = `${home}\0${project}`;
    let found = known.get(key);
    if (!found) {
      if (known.size > REMEMBERED_PLACES) known.clear();
      found = { home, project, made: make(home, project) };
      known.set(key, found);
    }
    last = found;
    return found.made;
  };
}

function isUnknown({ path, prefix }: Touched): boolean {
  return path === null && (prefix === null || prefix === '/');
}

interface Compiled {
  /** The folder that all matches lie in; empty for a pattern that holds anywhere. */
  readonly base: string;
  readonly segments: readonly string[];
  test(path: string): boolean;
}

const compiledPatterns = new Map<string, Compiled>();
const REMEMBERED = 5_000;

function compileOnce(pattern: string): Compiled {
  let compiled = compiledPatterns.get(pattern);
  if (!compiled) {
    if (compiledPatterns.size > REMEMBERED) compiledPatterns.clear();
    compiled = compile(pattern);
    compiledPatterns.set(pattern, compiled);
  }
  return compiled;
}

function compile(pattern: string): Compiled {
  const segments = globSegments(pattern);
  const base = pattern.startsWith('**') ? '' : picomatch.scan(pattern).base;
  return { base, segments, test: plainTest(pattern) ?? globTest(pattern, base) };
}

const PLAIN = /^(\*\*\/)?([^*?[{()!+@\\]+?)(\/\*\*)?$/;

/** Most patterns are a name with `**` before or after it, which needs no regular expression. */
function plainTest(pattern: string): Compiled['test'] | null {
  const found = PLAIN.exec(pattern);
  if (!found) return null;
  const [, before, name = '', after] = found;
  if (before === undefined) {
    const below = `${name}/`;
    return after === undefined ? (path) => path === name : (path) => path === name || path.startsWith(below);
  }
  const end = `/${name}`;
  if (after === undefined) return (path) => path.endsWith(end) || path === name;
  const inside = `/${name}/`;
  return (path) =>
    path.includes(inside) || path.endsWith(end) || path === name || path.startsWith(`${name}/`);
}

function globTest(pattern: string, base: string): Compiled['test'] {
  const test = picomatch(pattern, { dot: true, nonegate: true });
  return (path) => path.startsWith(base) && test(path);
}

function anchored(pattern: string, home: string | null, project: string | null): string | null {
  if (pattern === '~' || pattern.startsWith('~/')) return home === null ? null : `${home}${pattern.slice(1)}`;
  if (pattern.startsWith('/') || pattern.startsWith('**')) return pattern;
  if (project === null) return null;
  return pattern === '.' ? project : `${project}/${pattern.replace(/^\.\//, '')}`;
}

function reached(patterns: readonly Compiled[], { path, prefix, glob, recursive }: Touched): boolean {
  if (path === null) {
    if (prefix === null) return false;
    const below = join(prefix, UNKNOWN);
    return patterns.some((one) => one.base === prefix || one.test(below));
  }
  if (patterns.some((one) => one.test(path))) return true;
  if (!glob && !recursive) return false;
  const given = globSegments(path);
  return patterns.some((one) => mayMeet(given, recursive, one.segments));
}

function holds(pattern: Compiled, { path, prefix }: Touched): boolean {
  if (path === null) return prefix !== null && pattern.test(join(prefix, UNKNOWN));
  // A search through a folder is about all of the folder, whatever it comes across.
  return pattern.test(path.endsWith('/**') && path.length > 3 ? path.slice(0, -3) : path);
}

function join(folder: string, name: string): string {
  return folder.endsWith('/') ? folder + name : `${folder}/${name}`;
}

/** The same place by its real name; null where that is no other. */
function follow(touched: Touched, scope: PathScope): Touched | null {
  if (touched.path === null || touched.glob) return null;
  const real = scope.real(touched.path);
  return real === touched.path ? null : { ...touched, path: real };
}

/** A real name may lie in the home or the project as they are really called. */
function reallyIn(globs: readonly string[], { home, project, real }: PathScope): Compiled[] {
  const realHome = home === null ? null : real(home);
  const realProject = project === null ? null : real(project);
  return globs.flatMap((glob) => anchored(glob, realHome, realProject) ?? []).map(compileOnce);
}
