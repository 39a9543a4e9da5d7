import { once, rememberPer } from '../../platform/bounded.ts';
import { GLOB, isDeep, segmentTest } from './glob.ts';

/** A node for a common prefix of patterns, and their continuations. */
export interface PatternNode {
  /** Numbered across the whole tree. */
  readonly id: number;
  /** Reached by `**`: any name may follow and stay here. */
  readonly deep: boolean;
  /** Continuations by literal names. */
  readonly names: Map<string, PatternNode>;
  /** Continuations by names with wildcards. */
  readonly globs: GlobEdge[];
  /** Continuation by `**`. */
  below: PatternNode | null;
  /** True if a pattern ends here, or only `**` remains. */
  ends: boolean;
}

/** One name of a pattern and what comes after it. */
export interface Edge {
  readonly name: string;
  readonly to: PatternNode;
}

interface GlobEdge extends Edge {
  test(name: string): boolean;
}

/** Patterns as a tree of names, so that a path is compared with a common prefix only once. */
export interface PatternTree {
  /** Patterns with a fixed start. */
  readonly anchored: PatternNode | null;
  /** Patterns that begin with `**`. */
  readonly anywhere: PatternNode | null;
  readonly size: number;
  /** True if a `**` follows another, so that a node can be reached in several ways. */
  readonly nested: boolean;
}

export function patternTree(patterns: readonly (readonly string[])[]): PatternTree {
  let size = 0;
  const node = (deep: boolean): PatternNode => {
    size += 1;
    return { id: size, deep, names: new Map(), globs: [], below: null, ends: false };
  };
  const grow = (root: PatternNode, names: readonly string[]): void => {
    const end = names.findLastIndex((name) => !isDeep(name));
    let at = root;
    at.ends ||= end < 0;
    for (const [index, name] of names.entries()) {
      at = next(at, name, node);
      at.ends ||= index >= end;
    }
  };
  const tree = (some: readonly (readonly string[])[]): PatternNode | null => {
    const root = some.length === 0 ? null : node(false);
    if (root) for (const names of some) grow(root, names);
    return root;
  };
  const isAnywhere = (names: readonly string[]) => isDeep(names[0] ?? '');
  const anchored = tree(patterns.filter((names) => !isAnywhere(names)));
  const anywhere = tree(patterns.filter(isAnywhere));
  const nested = patterns.some((names) => names.filter(isDeep).length > 1);
  return { anchored, anywhere, size, nested };
}

function next(from: PatternNode, name: string, node: (deep: boolean) => PatternNode): PatternNode {
  if (isDeep(name)) {
    from.below ??= node(true);
    return from.below;
  }
  const isGlob = GLOB.test(name) || name.includes('\\');
  const known = isGlob ? from.globs.find((edge) => edge.name === name)?.to : from.names.get(name);
  if (known) return known;
  const to = node(false);
  if (isGlob) from.globs.push(globEdge(name, to));
  else from.names.set(name, to);
  return to;
}

function globEdge(name: string, to: PatternNode): GlobEdge {
  const test = once(() => segmentTest(name, true));
  return { name, to, test: (given) => test()(given) };
}

export function isLeaf({ names, globs, below }: PatternNode): boolean {
  return below === null && names.size === 0 && globs.length === 0;
}

/** True if a pattern may match a path with these names. False is certain. */
export function mayMatch({ anchored, anywhere }: PatternTree, names: readonly string[]): boolean {
  return (
    (anchored !== null && leads(anchored, names, 0, false)) ||
    (anywhere !== null && leads(anywhere, names, 0, false))
  );
}

function leads(node: PatternNode, names: readonly string[], at: number, isBelow: boolean): boolean {
  if (node.below !== null && leadsBelow(node.below, names, at, isBelow)) return true;
  const name = names[at];
  if (name === undefined) return node.ends;
  const same = node.names.get(name);
  if (same !== undefined && leads(same, names, at + 1, isBelow)) return true;
  const isLast = at === names.length - 1;
  for (const { test, to } of node.globs)
    if ((isLast || !isLeaf(to)) && test(name) && leads(to, names, at + 1, isBelow)) return true;
  return false;
}

/** Tries every position of one `**`; with several there would be too many. */
function leadsBelow(node: PatternNode, names: readonly string[], at: number, isBelow: boolean): boolean {
  if (node.ends || isBelow) return true;
  for (let from = at; from < names.length; from += 1) if (leads(node, names, from, true)) return true;
  return false;
}

/** All continuations of the patterns from a node on. */
interface Below {
  readonly edges: readonly Edge[];
  /** Those after which a pattern may end. */
  readonly ending: readonly Edge[];
  /** Where any number of directories may follow, including none. */
  readonly deep: readonly PatternNode[];
}

export const allBelow: (node: PatternNode) => Below = rememberPer(collect);

function collect(node: PatternNode): Below {
  const edges: Edge[] = [];
  const deep: PatternNode[] = [];
  const left = [node];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    if (at.deep) deep.push(at);
    for (const [name, to] of at.names) edges.push({ name, to });
    for (const edge of at.globs) edges.push(edge);
    for (const to of at.names.values()) left.push(to);
    for (const { to } of at.globs) left.push(to);
    if (at.below) left.push(at.below);
  }
  return { edges, ending: edges.filter(({ to }) => to.ends), deep };
}
