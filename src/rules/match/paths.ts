import { once, remember } from '../../platform/bounded.ts';
import { type Certainty, UNKNOWN } from '../../shell/analysis.ts';
import { expandBraces } from './braces.ts';
import { surer } from './certainty.ts';
import { type PatternSet, patternSet } from './pattern-set.ts';

/** A path that a call touches. `path` is null if unknown; then `prefix` or `ending` is known. */
export interface Touched {
  readonly path: string | null;
  readonly prefix: string | null;
  readonly ending: string | null;
  readonly glob: boolean;
  /** True if only some matches of the glob are touched. */
  readonly sifted: boolean;
  /** True for a search that does not descend into subdirectories. */
  readonly nearby: boolean;
  /** True if everything below is touched as well. */
  readonly recursive: boolean;
  /** Patterns that match it if `path` is unknown. */
  readonly among?: readonly string[] | undefined;
  /** True if it certainly matches one of those. */
  readonly isName?: true | undefined;
  /** The path with the `..` after its names, which lead elsewhere if such a name is a link. */
  readonly spelled?: string | undefined;
}

/** Exactly this path. */
export function placeAt(path: string | null): Touched {
  return { path, prefix: null, ending: null, glob: false, sifted: false, nearby: false, recursive: false };
}

/** Base directories of patterns. */
export interface PathScope {
  readonly home: string | null;
  readonly project: string | null;
  /** Resolves symbolic links as far as the path exists. */
  real(path: string): string;
  /** Paths on this machine that a glob matches; null if unknown before the call. */
  expand(glob: string): readonly string[] | null;
}

/**
 * Path patterns: absolute, from the home (`~/…`, where a dotfile name counts in every home), anywhere (leading `**`),
 * or from the project.
 */
export interface PathPatterns {
  /** The patterns as written. */
  readonly globs: readonly string[];
  /**
   * How certainly a path they name is touched. Deleting a directory touches its content, and a glob touches its
   * matches. Null: never.
   */
  touch(touched: Touched, scope: PathScope): Certainty | null;
  /** Quick test by name alone. False is certain for a real path. */
  mayTouch(touched: Touched, scope: Pick<PathScope, 'home' | 'project'>): boolean;
  /** True if everything touched is inside what one of them names. */
  cover(touched: Touched, scope: PathScope): boolean;
}

/** Stands for a path that is unknown before the command runs. */
const UNKNOWN_PATH = '<unknown>';

export function pathPatterns(globs: readonly string[]): PathPatterns {
  const unknownToo = globs.includes(UNKNOWN_PATH);
  // Compiled on demand, because most patterns are never compared.
  const anchored = once(() => anchor(globs.filter((glob) => glob !== UNKNOWN_PATH).flatMap(alternativesOf)));
  const setsIn: SetsIn = (home, project) => anchored()(home, project);
  return {
    globs,
    touch(touched, scope) {
      if (unknownToo && isUnknown(touched)) return 'certain';
      const sets = setsIn(scope.home, scope.project);
      const named = reached(sets, touched, scope.home, scope.expand);
      if (named === 'certain') return named;
      const other = inOwnHome(touched, scope.home);
      const known = other === null ? named : surer(named, reached(sets, other, scope.home, scope.expand));
      const real = follow(touched, scope);
      if (real === null || known === 'certain') return known;
      const byReal = (all: Sets) => reached(all, real, scope.home, scope.expand);
      return surer(known, surer(byReal(sets), byReal(reallyIn(setsIn, scope))));
    },
    mayTouch(touched, { home, project }) {
      if (unknownToo && isUnknown(touched)) return true;
      const sets = setsIn(home, project);
      if (reached(sets, touched, home, notExpanded) !== null) return true;
      const other = inOwnHome(touched, home);
      return other !== null && reached(sets, other, home, notExpanded) !== null;
    },
    cover(touched, scope) {
      if (touched.glob && touched.path?.includes('{'))
        return spellings(touched.path).every((path) => this.cover({ ...touched, path }, scope));
      // One of many candidates is certainly inside if all of them are.
      if (touched.isName && touched.among !== undefined && touched.among.length > 0)
        return touched.among.every((path) =>
          this.cover({ ...touched, path, glob: true, among: undefined, isName: undefined }, scope),
        );
      if (unknownToo && isUnknown(touched)) return true;
      const sets = setsIn(scope.home, scope.project);
      if (!holds(sets, touched)) return false;
      const real = follow(touched, scope);
      return real === null || holds(sets, real) || holds(reallyIn(setsIn, scope), real);
    },
  };
}

function alternativesOf(glob: string): readonly string[] {
  return expandBraces(glob) ?? [glob];
}

const notExpanded = (): null => null;

const REMEMBERED_PLACES = 64;

type Sets = readonly PatternSet[];
type SetsIn = (home: string | null, project: string | null) => Sets;

/** Cached, because most patterns are the same for all projects. */
function anchor(patterns: readonly string[]): SetsIn {
  const isOfProject = (pattern: string) => !/^(?:\/|\*\*|~(?:\/|$))/.test(pattern);
  const inHome = remember(
    (home: string | null) =>
      setOf(
        patterns.filter((pattern) => !isOfProject(pattern)),
        (one) => fromHome(one, home),
      ),
    REMEMBERED_PLACES,
  );
  const ofProject = patterns.filter(isOfProject);
  if (ofProject.length === 0) return (home) => inHome(home);
  const inProject = remember(
    (project: string) =>
      setOf(ofProject, (one) => (one === '.' ? project : `${project}/${one.replace(/^\.\//, '')}`)),
    REMEMBERED_PLACES,
  );
  const inBoth = remember((home: string | null) => {
    const own = inHome(home);
    return remember((project: string): Sets => [...own, ...inProject(project)], REMEMBERED_PLACES);
  }, REMEMBERED_PLACES);
  return (home, project) => (project === null ? inHome(home) : inBoth(home)(project));
}

function setOf(patterns: readonly string[], place: (pattern: string) => string | null): Sets {
  const placed = patterns.flatMap((pattern) => place(pattern) ?? []);
  return placed.length === 0 ? [] : [patternSet(placed)];
}

function fromHome(pattern: string, home: string | null): string | null {
  if (!pattern.startsWith('~')) return pattern;
  return home === null ? null : `${home}${pattern.slice(1)}`;
}

function isUnknown({ path, prefix }: Touched): boolean {
  return path === null && (prefix === null || prefix === '/');
}

type Expand = PathScope['expand'];

function reached(sets: Sets, touched: Touched, home: string | null, expand: Expand): Certainty | null {
  const { path, glob, recursive, among } = touched;
  if (among !== undefined) {
    const known = reached(sets, { ...touched, among: undefined }, home, expand);
    return known ?? reachedAmong(sets, among, touched, home, expand);
  }
  if (path === null) return reachedInPart(sets, touched, home);
  if (!isPlaced(path)) return reachedBelow(sets, touched, `/${path}`, home);
  if (isMatched(sets, path)) return 'certain';
  if (!glob && !recursive) return null;
  const level = comparedWith(sets, path, touched);
  if (touched.nearby && level !== null && !isNear(sets, path, touched)) return null;
  if (level === null || level === 'certain' || !glob || path.includes('**')) return level;
  const names = expand(path);
  if (names === null) return level;
  return names.reduce<Certainty | null>(
    (found, name) => surer(found, comparedWith(sets, name, { ...touched, glob: false })),
    null,
  );
}

/** One of several candidates: known only at run time, unless all of them match. */
function reachedAmong(
  sets: Sets,
  among: readonly string[],
  touched: Touched,
  home: string | null,
  expand: Expand,
): Certainty | null {
  let level: Certainty | null = null;
  for (const path of among) {
    const found = reached(sets, { ...touched, path, glob: true, among: undefined }, home, expand);
    level = surer(level, found === 'likely' ? 'possible' : found);
  }
  return level;
}

/** True if a pattern names something directly in the search's directory, rather than deeper. */
function isNear(sets: Sets, path: string, touched: Touched): boolean {
  const names = path.endsWith('/**')
    ? [path.replace(/\*$/, ''), path.replace(/\*\*$/, '.*')]
    : [path.replace('/**', '')];
  return names.some((name) => comparedWith(sets, name, touched) !== null);
}

/** A search for several names uses braces. */
function spellings(path: string): readonly string[] {
  return path.includes('{') ? alternativesOf(path) : [path];
}

function comparedWith(sets: Sets, path: string, touched: Touched): Certainty | null {
  const how = { glob: touched.glob, below: touched.recursive, sifted: touched.sifted };
  let level: Certainty | null = null;
  for (const one of touched.glob ? spellings(path) : [path]) {
    if (isMatched(sets, one)) return 'certain';
    for (const set of sets) level = surer(level, set.meet(one, how));
    if (level === 'certain') return level;
  }
  return level;
}

/** A partly known path: certain only if it matches whatever the unknown part is. */
function reachedInPart(sets: Sets, touched: Touched, home: string | null): Certainty | null {
  const { prefix, ending } = touched;
  if (prefix === null)
    return ending === null ? null : atMostLikely(reachedBelow(sets, touched, ending, home));
  const below = join(prefix, UNKNOWN) + (ending ?? '');
  if (isMatched(sets, below)) return 'certain';
  if (ending === null) return sets.some(({ bases }) => bases().has(prefix)) ? 'likely' : null;
  return atMostLikely(comparedWith(sets, join(prefix, `**${ending}`), { ...touched, glob: true }));
}

/** A path below a completely unknown directory. */
function reachedBelow(sets: Sets, touched: Touched, ending: string, home: string | null): Certainty | null {
  const anywhere = sets.flatMap((set) => set.anywhere() ?? []);
  // In an unknown directory, dotfiles are compared with those of the home.
  const own = ending.startsWith('/.') && home !== null ? comparedWith(sets, home + ending, touched) : null;
  return surer(comparedWith(anywhere, ending, touched), atMostLikely(own));
}

function atMostLikely(level: Certainty | null): Certainty | null {
  return level === 'certain' ? 'likely' : level;
}

function isMatched(sets: Sets, path: string): boolean {
  for (const set of sets) if (set.matches(path)) return true;
  return false;
}

/** True if the start of a path is known; `~name` is the home of that user. */
function isPlaced(path: string): boolean {
  return path.startsWith('/') || path.startsWith('~');
}

const ANY_HOME =
  /^\/(?:home\/[^/]+|(?:(?:mnt\/|cygdrive\/)?[a-z]\/)?Users\/[^/]+|root)(?=\/(?:\.|Library\/))/;

/** Maps dotfiles and system files in another user's home to the same path in this home. */
function inOwnHome(touched: Touched, home: string | null): Touched | null {
  if (touched.path === null || home === null) return null;
  const other = ANY_HOME.exec(touched.path)?.[0];
  if (other === undefined || other === home) return null;
  return { ...touched, path: home + touched.path.slice(other.length) };
}

function holds(sets: Sets, { path, prefix }: Touched): boolean {
  if (path === null) return prefix !== null && sets.some((set) => set.matches(join(prefix, UNKNOWN)));
  // A search through a directory counts for the whole directory.
  const whole = path.endsWith('/**') && path.length > 3 ? path.slice(0, -3) : path;
  return sets.some((set) => set.matches(whole));
}

function join(folder: string, name: string): string {
  return folder.endsWith('/') ? folder + name : `${folder}/${name}`;
}

/** The real path of the same file; null if it is the same. */
function follow(touched: Touched, scope: PathScope): Touched | null {
  if (touched.path === null || touched.glob) return null;
  const name = touched.spelled ?? touched.path;
  const real = scope.real(name);
  return real === touched.path || real === name ? null : { ...touched, path: real };
}

/** A real path may be inside the real home or project directory. */
function reallyIn(setsIn: SetsIn, { home, project, real }: PathScope): Sets {
  return setsIn(home === null ? null : real(home), project === null ? null : real(project));
}
