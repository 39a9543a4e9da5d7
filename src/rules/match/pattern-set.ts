import { BoundedMap, once, remember } from '../../platform/bounded.ts';
import type { Certainty } from '../../shell/analysis.ts';
import { compileGlob, literalBase } from './glob.ts';
import { type Given, globSegments, meet } from './globs.ts';
import { mayMatch, patternTree } from './pattern-tree.ts';

/** Patterns for whole paths, combined. */
export interface PatternSet {
  /** Directories that contain all matches of a pattern; empty for a pattern that matches anywhere. */
  readonly bases: () => ReadonlySet<string>;
  matches(path: string): boolean;
  /** How certainly a glob, or everything below a path, is matched. Null: never. */
  meet(path: string, how: Omit<Given, 'segments'>): Certainty | null;
  /** The patterns that match anywhere; null if there are none. */
  anywhere(): PatternSet | null;
}

export function patternSet(patterns: readonly string[]): PatternSet {
  const compiled = patterns.map(compileOnce);
  const tree = patternTree(compiled.map(({ segments }) => segments));
  let anywhere: PatternSet | null | undefined;
  return {
    meet: rememberMeets((path, { glob, below, sifted }) =>
      meet({ segments: namesIn(path), glob, below, sifted }, tree),
    ),
    bases: once(() => new Set(compiled.map(({ base }) => base()))),
    matches: (path) => mayMatch(tree, namesIn(path)) && compiled.some((one) => one.test(path)),
    anywhere() {
      if (anywhere === undefined) {
        const own = patterns.filter((pattern) => compileOnce(pattern).base() === '');
        anywhere = own.length === 0 ? null : patternSet(own);
      }
      return anywhere;
    },
  };
}

const REMEMBERED = 200;
const LONGEST_REMEMBERED = 200;

/** Cached, because agents search and clear the same directories repeatedly. */
function rememberMeets(find: PatternSet['meet']): PatternSet['meet'] {
  const known = new BoundedMap<string, Certainty | null>(REMEMBERED);
  return (path, how) => {
    if (path.length > LONGEST_REMEMBERED) return find(path, how);
    const key = `${how.glob ? 'g' : ''}${how.below ? 'b' : ''}${how.sifted ? 's' : ''}:${path}`;
    let level = known.get(key);
    if (level === undefined) {
      level = find(path, how);
      known.set(key, level);
    }
    return level;
  };
}

const REMEMBERED_PATHS = 64;
const splitOnce = remember(globSegments, REMEMBERED_PATHS);
let last: { readonly path: string; readonly names: readonly string[] } = { path: '', names: [] };

/** Cached, because many sets are compared with the few paths of one call. */
function namesIn(path: string): readonly string[] {
  if (path.length <= LONGEST_REMEMBERED) return splitOnce(path);
  if (last.path !== path) last = { path, names: globSegments(path) };
  return last.names;
}

interface Compiled {
  readonly base: () => string;
  readonly segments: readonly string[];
  test(path: string): boolean;
}

const compileOnce = remember(compile, 5_000);

/** Names alone rule out nearly every pattern, so its test is compiled on demand. */
function compile(pattern: string): Compiled {
  const base = once(() => (pattern.startsWith('**') ? '' : literalBase(pattern)));
  const test = once(() => plainTest(pattern) ?? globTest(pattern, base()));
  return { base, segments: globSegments(pattern), test: (path) => test()(path) };
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
