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

/** A pattern for paths: absolute, from the home (`~/…`), anywhere (`**` first), or from the project. */
export interface PathPattern {
  /**
   * Is some of what the pattern names touched? A folder that is deleted takes along what lies in it, and a glob
   * touches whatever it may come to.
   */
  touches(touched: Touched, scope: PathScope): boolean;
  /** Does everything that is touched lie in what the pattern names? */
  covers(touched: Touched, scope: PathScope): boolean;
}

/** Stands for a path that cannot be known before the command runs. */
const UNKNOWN_PATH = '<unknown>';

export function pathPattern(pattern: string): PathPattern {
  if (pattern === UNKNOWN_PATH) return { touches: isUnknown, covers: isUnknown };
  const cached = new Map<string, Compiled>();
  const compiledIn = (scope: Anchors): Compiled | null => {
    const full = anchored(pattern, scope);
    if (full === null) return null;
    let found = cached.get(full);
    if (!found) {
      if (cached.size > REMEMBERED) cached.clear();
      found = compile(full);
      cached.set(full, found);
    }
    return found;
  };
  return {
    touches(touched, scope) {
      const compiled = compiledIn(scope);
      if (compiled !== null && reaches(compiled, touched)) return true;
      const followed = follow(touched, scope);
      if (followed === null) return false;
      return bothWays(scope, compiled, compiledIn).some((one) => reaches(one, followed));
    },
    covers(touched, scope) {
      const compiled = compiledIn(scope);
      if (compiled === null || !holds(compiled, touched)) return false;
      const followed = follow(touched, scope);
      return followed === null || bothWays(scope, compiled, compiledIn).some((one) => holds(one, followed));
    },
  };
}

const REMEMBERED = 200;

type Anchors = Pick<PathScope, 'home' | 'project'>;

function isUnknown({ path, prefix }: Touched): boolean {
  return path === null && (prefix === null || prefix === '/');
}

interface Compiled {
  /** The folder that all matches lie in; empty for a pattern that holds anywhere. */
  readonly base: string;
  /** Its names one by one, of each alternative. */
  readonly alternatives: readonly (readonly string[])[];
  test(path: string): boolean;
}

function compile(pattern: string): Compiled {
  const { base } = picomatch.scan(pattern);
  return {
    base: pattern.startsWith('**') ? '' : base,
    alternatives: expandBraces(pattern).map(globSegments),
    test: picomatch(pattern, { dot: true, nonegate: true }),
  };
}

function anchored(pattern: string, { home, project }: Anchors): string | null {
  if (pattern === '~' || pattern.startsWith('~/')) return home === null ? null : `${home}${pattern.slice(1)}`;
  if (pattern.startsWith('/') || pattern.startsWith('**')) return pattern;
  if (project === null) return null;
  return pattern === '.' ? project : `${project}/${pattern.replace(/^\.\//, '')}`;
}

function reaches(pattern: Compiled, { path, prefix, glob, recursive }: Touched): boolean {
  if (path === null)
    return prefix !== null && (prefix === pattern.base || pattern.test(join(prefix, UNKNOWN)));
  if (pattern.test(path)) return true;
  if (!glob && !recursive) return false;
  const given = globSegments(path);
  return pattern.alternatives.some((segments) => mayMeet(given, recursive, segments));
}

function holds(pattern: Compiled, { path, prefix }: Touched): boolean {
  if (path === null) return prefix !== null && pattern.test(join(prefix, UNKNOWN));
  // A search through a folder is about all of the folder, whatever it comes across.
  return pattern.test(path.replace(/(?!^)\/\*\*$/, ''));
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

/** A real name may lie in the home or the project as they are called, or as they are really called. */
function bothWays(
  { home, project, real }: PathScope,
  compiled: Compiled | null,
  compiledIn: (scope: Anchors) => Compiled | null,
): Compiled[] {
  const really = compiledIn({
    home: home === null ? null : real(home),
    project: project === null ? null : real(project),
  });
  return [compiled, really].filter((one) => one !== null);
}
