import type { Certainty } from '../../shell/analysis.ts';
import { best, CERTAIN, certaintyOf, type Level, LIKELY, NONE, POSSIBLE, weakest } from './certainty.ts';
import { compareNames } from './compare-names.ts';
import { GLOB, isDeep } from './glob.ts';
import { allBelow, type Edge, isLeaf, type PatternNode, type PatternTree } from './pattern-tree.ts';
import { spend } from './steps.ts';

export function globSegments(glob: string): readonly string[] {
  return glob.split('/').filter((segment) => segment !== '');
}

/** A pattern as a shell or a search would use it. */
export interface Given {
  readonly segments: readonly string[];
  /** False for a quoted pattern, whose characters are literal. */
  readonly glob: boolean;
  /** True if everything below it is included. */
  readonly below: boolean;
  /** True if only some matches are included. */
  readonly sifted: boolean;
}

/** Names are compared recursively, and systems hardly open longer paths. */
const MAX_NAMES = 1_000;

/** How certainly a path from `given` is one that a pattern names. Null: never. */
export function meet(given: Given, { anchored, anywhere, size, nested }: PatternTree): Certainty | null {
  if (given.segments.length > MAX_NAMES) return size === 0 ? null : 'possible';
  const searched = given.glob && given.segments.some(isDeep);
  const known = nested || searched ? new Map<number, Level>() : null;
  const from = (root: PatternNode | null) =>
    root === null ? NONE : new Comparison(given, root === anchored, searched, known).from(0, root);
  const level = from(anchored);
  return certaintyOf(level === CERTAIN ? level : best(level, from(anywhere)));
}

/** Compares name by name: the weakest name counts, of the best pattern and the best position of each `**`. */
class Comparison {
  private readonly given: Given;
  private readonly last: number;
  readonly glob: boolean;
  readonly anchored: boolean;
  readonly searched: boolean;
  /** Cache for states reachable in several ways, of which there could otherwise be very many. */
  private readonly known: Map<number, Level> | null;

  constructor(given: Given, anchored: boolean, searched: boolean, known: Map<number, Level> | null) {
    this.given = given;
    this.last = given.segments.length - 1;
    this.glob = given.glob;
    this.anchored = anchored;
    this.searched = searched;
    this.known = known;
  }

  from(at: number, node: PatternNode): Level {
    if (this.known === null) return this.compare(at, node);
    const key = node.id * (MAX_NAMES + 1) + at;
    const earlier = this.known.get(key);
    if (earlier !== undefined) return earlier;
    const level = this.compare(at, node);
    this.known.set(key, level);
    return level;
  }

  private compare(at: number, node: PatternNode): Level {
    spend(1);
    const segment = this.given.segments[at];
    if (segment === undefined) return this.atEnd(node);
    if (this.searched && isDeep(segment)) return this.search(at, node);
    const level = this.step(at, segment, node);
    if (level === CERTAIN) return level;
    const swallowed = node.deep ? this.from(at + 1, node) : NONE;
    return best(level, node.below === null ? swallowed : best(swallowed, this.from(at, node.below)));
  }

  /** Continues with the next names of the patterns. */
  private step(at: number, segment: string, node: PatternNode): Level {
    const isName = !this.glob || !GLOB.test(segment);
    const same = isName ? node.names.get(segment) : undefined;
    let level = same === undefined ? NONE : this.from(at + 1, same);
    if (!isName) {
      for (const [name, to] of node.names) level = best(level, this.through(at, segment, name, to));
    }
    for (const { name, to } of node.globs) {
      if (level === CERTAIN) return level;
      level = best(level, this.through(at, segment, name, to));
    }
    return level;
  }

  private through(at: number, segment: string, wanted: string, to: PatternNode): Level {
    const same = compareNames(segment, wanted, this);
    return same === NONE ? NONE : weakest(same, this.from(at + 1, to));
  }

  /** The given path ends here; the rest of the patterns is below it. */
  private atEnd(node: PatternNode): Level {
    if (node.ends) return CERTAIN;
    return this.given.below ? (this.anchored ? CERTAIN : POSSIBLE) : NONE;
  }

  /** The given path has any depth here. */
  private search(at: number, node: PatternNode): Level {
    if (isLeaf(node) && !node.deep) return NONE;
    const swallowed = node.deep ? this.from(at + 1, node) : NONE;
    const level = node.below === null ? swallowed : best(swallowed, this.from(at, node.below));
    if (at === this.last) return best(level, this.anchored && !this.given.sifted ? LIKELY : POSSIBLE);
    return this.searchName(at + 1, node, level);
  }

  /**
   * The name after a `**` may be any of the remaining names. An equal one is likely; being inside a directory whose
   * content all counts is only possible.
   */
  private searchName(at: number, node: PatternNode, known: Level): Level {
    const name = this.given.segments[at] ?? '';
    const most = this.given.sifted || GLOB.test(name) ? POSSIBLE : LIKELY;
    let level = known;
    if (level >= most) return level;
    const { edges, ending, deep } = allBelow(node);
    for (const folder of deep) {
      if (level >= POSSIBLE) break;
      level = weakest(POSSIBLE, this.from(at + 1, folder));
    }
    // After the last name only the rest of the pattern counts.
    const left: readonly Edge[] = at === this.last && !this.given.below ? ending : edges;
    for (const { name: wanted, to } of left) {
      if (level >= most) return level;
      const cap = name === wanted ? most : POSSIBLE;
      if (cap > level) level = best(level, weakest(cap, this.through(at, name, wanted, to)));
    }
    return level;
  }
}
