import { BoundedMap, remember } from '../../platform/bounded.ts';
import { type Certainty, UNKNOWN } from '../../shell/analysis.ts';
import { expandBraces } from './braces.ts';
import { compileGlob, literalBase } from './glob.ts';
import { globSegments, isAtLeast, meet, surer } from './globs.ts';

/** A place that a call touches. `path` is null when it cannot be known; `prefix` or `ending` is then known of it. */
export interface Touched {
  readonly path: string | null;
  readonly prefix: string | null;
  readonly ending: string | null;
  readonly glob: boolean;
  /** Only some of what the glob matches. */
  readonly sifted: boolean;
  /** Everything below is touched as well. */
  readonly recursive: boolean;
}

/** Exactly this path. */
export function placeAt(path: string | null): Touched {
  return { path, prefix: null, ending: null, glob: false, sifted: false, recursive: false };
}

/** Where patterns start from. */
export interface PathScope {
  readonly home: string | null;
  readonly project: string | null;
  /** The path with its symbolic links followed, as far as it exists. */
  real(path: string): string;
  /** The paths that a glob comes to on this machine; null where that cannot be said before the call. */
  expand(glob: string): readonly string[] | null;
}

/**
 * Patterns for paths: absolute, from the home (`~/…`, where a name with a dot is that of any home), anywhere (`**`
 * first), or from the project.
 */
export interface PathPatterns {
  /**
   * How surely is some of what they name touched? A folder that is deleted takes along what lies in it, and a glob
   * touches what it comes to. Null: none of it can be.
   */
  touch(touched: Touched, scope: PathScope): Certainty | null;
  /** Does everything that is touched lie in what one of them names? */
  cover(touched: Touched, scope: PathScope): boolean;
}

/** Stands for a path that cannot be known before the command runs. */
const UNKNOWN_PATH = '<unknown>';

export function pathPatterns(globs: readonly string[]): PathPatterns {
  const patterns = globs
    .filter((glob) => glob !== UNKNOWN_PATH)
    .flatMap((glob) => expandBraces(glob) ?? glob);
  const unknownToo = globs.includes(UNKNOWN_PATH);
  const compiledIn = rememberPlaces((home: string | null, project: string | null) =>
    patterns.flatMap((glob) => anchored(glob, home, project) ?? []).map(compileOnce),
  );
  return {
    touch(touched, scope) {
      if (unknownToo && isUnknown(touched)) return 'certain';
      const compiled = compiledIn(scope.home, scope.project);
      const named = reached(compiled, touched, scope);
      if (named === 'certain') return named;
      const other = inOwnHome(touched, scope.home);
      const known = other === null ? named : surer(named, reached(compiled, other, scope));
      const real = follow(touched, scope);
      if (real === null || known === 'certain') return known;
      const really = surer(reached(compiled, real, scope), reached(reallyIn(patterns, scope), real, scope));
      return surer(known, really);
    },
    cover(touched, scope) {
      if (touched.glob && touched.path?.includes('{'))
        return spellings(touched.path).every((path) => this.cover({ ...touched, path }, scope));
      if (unknownToo && isUnknown(touched)) return true;
      const compiled = compiledIn(scope.home, scope.project);
      if (!compiled.some((one) => holds(one, touched))) return false;
      const real = follow(touched, scope);
      if (real === null) return true;
      return (
        compiled.some((one) => holds(one, real)) || reallyIn(patterns, scope).some((one) => holds(one, real))
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
  const known = new BoundedMap<
    string,
    { readonly home: string | null; readonly project: string | null; readonly made: T }
  >(REMEMBERED_PLACES);
  return (home, project) => {
    if (last !== null && last.home === home && last.project === project) return last.made;
    const key = `${home}\0${project}`;
    let found = known.get(key);
    if (!found) {
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

const compileOnce = remember(compile, 5_000);

function compile(pattern: string): Compiled {
  const segments = globSegments(pattern);
  const base = pattern.startsWith('**') ? '' : literalBase(pattern);
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
  const test = compileGlob(pattern);
  return (path) => path.startsWith(base) && test(path);
}

function anchored(pattern: string, home: string | null, project: string | null): string | null {
  if (pattern === '~' || pattern.startsWith('~/')) return home === null ? null : `${home}${pattern.slice(1)}`;
  if (pattern.startsWith('/') || pattern.startsWith('**')) return pattern;
  if (project === null) return null;
  return pattern === '.' ? project : `${project}/${pattern.replace(/^\.\//, '')}`;
}

function reached(patterns: readonly Compiled[], touched: Touched, scope: PathScope): Certainty | null {
  const { path, glob, recursive } = touched;
  if (path === null) return reachedInPart(patterns, touched, scope);
  if (patterns.some((one) => one.test(path))) return 'certain';
  if (!glob && !recursive) return null;
  const level = comparedWith(patterns, path, touched);
  if (level === null || level === 'certain' || !glob || path.includes('**')) return level;
  const names = scope.expand(path);
  if (names === null) return level;
  return names.reduce<Certainty | null>(
    (found, name) => surer(found, comparedWith(patterns, name, { ...touched, glob: false })),
    null,
  );
}

/** A search for several names has them in braces. */
function spellings(path: string): readonly string[] {
  return path.includes('{') ? (expandBraces(path) ?? [path]) : [path];
}

function comparedWith(patterns: readonly Compiled[], path: string, touched: Touched): Certainty | null {
  let level: Certainty | null = null;
  for (const one of touched.glob ? spellings(path) : [path]) {
    if (patterns.some(({ test }) => test(one))) return 'certain';
    const { glob, recursive: below, sifted } = touched;
    const given = { segments: globSegments(one), glob, below, sifted };
    for (const { segments } of patterns) {
      level = surer(level, meet(given, segments));
      if (level === 'certain') return level;
    }
  }
  return level;
}

/** Of a path of which only a part is known: certain only where it lies in what is meant, whatever it is called. */
function reachedInPart(patterns: readonly Compiled[], touched: Touched, scope: PathScope): Certainty | null {
  const { prefix, ending } = touched;
  if (prefix !== null) {
    const below = join(prefix, UNKNOWN);
    if (patterns.some((one) => one.test(below))) return 'certain';
    return patterns.some((one) => one.base === prefix) ? 'likely' : null;
  }
  if (ending === null) return null;
  const anywhere = patterns.filter(({ base }) => base === '');
  const level = comparedWith(anywhere, ending, touched);
  // Whatever folder it is: what begins with a dot is looked for in the home.
  const own =
    ending.startsWith('/.') && scope.home !== null
      ? comparedWith(patterns, scope.home + ending, touched)
      : null;
  const found = surer(level, own);
  return found !== null && isAtLeast(found, 'likely') ? 'likely' : found;
}

const ANY_HOME = /^\/(?:home\/[^/]+|Users\/[^/]+|root)(?=\/\.)/;

/** What has a dot in front in somebody else's home is there for the same purpose as in one's own. */
function inOwnHome(touched: Touched, home: string | null): Touched | null {
  if (touched.path === null || home === null) return null;
  const other = ANY_HOME.exec(touched.path)?.[0];
  if (other === undefined || other === home) return null;
  return { ...touched, path: home + touched.path.slice(other.length) };
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
