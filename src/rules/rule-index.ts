import type { DeedName } from '../knowledge/acts.ts';
import type { EventType } from '../model/events.ts';
import { remember } from '../platform/bounded.ts';
import type { SimpleCommand } from '../shell/analysis.ts';
import { deedsOf } from './deeds/deeds.ts';
import type { Facts, FileAccess, Found } from './facts.ts';
import { ACCESSES, type EffectKey } from './match/effects.ts';
import { type PathPatterns, pathPatterns } from './match/paths.ts';
import type { Rule } from './rule.ts';
import type { Conflict } from './session/write-conflicts.ts';

/** Finds the rules that may match an event without evaluating each. */
export interface RuleIndex {
  /** In the order of declaration. */
  candidates(facts: Facts): readonly Rule[];
  /** What rules need to know about writes of sessions. */
  readonly conflicts: readonly Conflict[];
  /** Read conditions of deny and ask rules. */
  readonly guarded: readonly PathPatterns[];
}

interface Entry {
  readonly rule: Rule;
  readonly order: number;
  /** The latest search that found it. */
  search: number;
}

/** Rules about one effect kind: for all its effects, or for those with a word. */
interface OfKind {
  readonly all: Entry[];
  readonly byWord: Map<string, Entry[]>;
}

interface Shelf {
  readonly always: Entry[];
  readonly ofAlways: Rule[];
  readonly byProgram: Map<string, Entry[]>;
  readonly byDeed: Map<DeedName, Entry[]>;
  readonly byEffect: Map<string, OfKind>;
  /** The paths in any of its rules, as one pattern per access. */
  readonly places: (access: FileAccess) => PathPatterns;
  /** True if one of its rules needs the call's deeds. */
  asksWhat: boolean;
  /** Earlier results for the same effects, which a repeated line has. */
  readonly known: WeakMap<readonly Found[], Line>;
}

/** A line and its directory, with everything that stays the same when it is repeated. */
interface Line {
  readonly commands: readonly SimpleCommand[];
  readonly home: string | null;
  readonly project: string | null;
  /** Rules that may match. */
  readonly rules: readonly Rule[];
  /** Those that may still match if every path is its real path. */
  readonly byName: readonly Rule[];
  /** What it does. */
  readonly effects: readonly Found[];
}

/** Files a rule under its programs, or its deeds or effects, or otherwise under all. */
export function indexRules(rules: readonly Rule[]): RuleIndex {
  const shelves = new Map<EventType, Shelf>();
  const places = remember((access: FileAccess) => pathPatterns(globsOf(rules, access)));
  for (const [order, rule] of rules.entries()) {
    for (const type of new Set([...rule.on, ...rule.tellsOn]))
      file(shelfOf(shelves, type, places), { rule, order, search: 0 });
  }
  return {
    conflicts: [...new Set(rules.flatMap(({ conflict }) => conflict ?? []))],
    guarded: rules.flatMap(({ guards }) => guards ?? []),
    candidates(facts) {
      const shelf = shelves.get(facts.event.type);
      if (!shelf) return [];
      const { rules: all, byName, effects } = lineOn(shelf, facts);
      return byName.length < all.length && areReal(effects, facts) ? byName : all;
    },
  };
}

const NO_COMMANDS: readonly SimpleCommand[] = [];
const NO_EFFECTS: readonly Found[] = [];

function lineOn(shelf: Shelf, facts: Facts): Line {
  const commands = (shelf.asksWhat && facts.analysis()?.commands) || NO_COMMANDS;
  const effects = shelf.asksWhat ? facts.effects() : NO_EFFECTS;
  const { home, project } = facts.scope();
  const before = shelf.known.get(effects);
  if (before?.commands === commands && before.home === home && before.project === project) return before;
  const rules = rulesIn(shelf, commands, effects);
  const byName = matchingByName(rules, shelf, facts);
  const line: Line = { commands, home, project, rules, byName, effects };
  // Tools other than a shell have a new list for each call, so caching is useless.
  if (commands.length > 0 || effects.length === 0) shelf.known.set(effects, line);
  return line;
}

/** Checks all rules at once, because most calls touch nothing that any rule names. */
function matchingByName(rules: readonly Rule[], { places }: Shelf, facts: Facts): readonly Rule[] {
  /** By access: whether a path is near, as far as computed. */
  const near: (boolean | undefined)[] = [];
  const isNear = (access: FileAccess, at: number): boolean => {
    near[at] ??= facts
      .effects()
      .some((one) => one.access === access && places(access).mayTouch(one.touched, facts.scope()));
    return near[at];
  };
  const mayMatch = (rule: Rule): boolean => {
    // A project's patterns may be made to run forever, so they run only within limits.
    if (rule.layer === 'project') return true;
    for (let at = 0; at < ACCESSES.length; at += 1) {
      const access = ACCESSES[at];
      if (access && rule.places[access] && !isNear(access, at)) return false;
    }
    return rule.mayMatch?.(facts) ?? true;
  };
  return rules.filter(mayMatch);
}

/** True if every path is its real path. */
function areReal(effects: readonly Found[], facts: Facts): boolean {
  return effects.every(({ touched: { path, glob, spelled } }) => {
    return path === null || glob || facts.real(spelled ?? path) === path;
  });
}

function rulesIn(
  shelf: Shelf,
  commands: readonly SimpleCommand[],
  effects: readonly Found[],
): readonly Rule[] {
  search += 1;
  const found: Entry[] = [];
  for (const command of commands) {
    addAll(found, command.tool === null ? undefined : shelf.byProgram.get(command.tool));
    for (const name of deedsOf(command)) addAll(found, shelf.byDeed.get(name));
  }
  for (const { tags } of effects) {
    const ofKind = shelf.byEffect.get(tags[0] ?? '');
    addAll(found, ofKind?.all);
    if (ofKind && ofKind.byWord.size > 0) for (const tag of tags) addAll(found, ofKind.byWord.get(tag));
  }
  // What is under all is in order already.
  if (found.length === 0) return shelf.ofAlways;
  addAll(found, shelf.always);
  return found.sort((a, b) => a.order - b.order).map(({ rule }) => rule);
}

/** Numbers each search, so that a rule is found once without a set per call. */
let search = 0;

/** Excludes a project's patterns, which run only within limits. */
function globsOf(rules: readonly Rule[], access: FileAccess): readonly string[] {
  const globs = rules.flatMap((rule) => (rule.layer === 'project' ? [] : (rule.places[access]?.globs ?? [])));
  return [...new Set(globs)];
}

function shelfOf(shelves: Map<EventType, Shelf>, type: EventType, places: Shelf['places']): Shelf {
  let shelf = shelves.get(type);
  if (!shelf) {
    shelf = {
      always: [],
      ofAlways: [],
      byProgram: new Map(),
      byDeed: new Map(),
      byEffect: new Map(),
      places,
      asksWhat: false,
      known: new WeakMap(),
    };
    shelves.set(type, shelf);
  }
  return shelf;
}

function file(shelf: Shelf, entry: Entry): void {
  const { programs, deeds, effects } = entry.rule;
  shelf.asksWhat ||= (programs ?? deeds ?? effects ?? entry.rule.mayMatch) !== null;
  if (programs) for (const program of new Set(programs)) listIn(shelf.byProgram, program, entry);
  else if (deeds) {
    for (const name of deeds.names) listIn(shelf.byDeed, name, entry);
    for (const key of deeds.effects) fileEffect(shelf.byEffect, key, entry);
  } else if (effects) for (const key of effects) fileEffect(shelf.byEffect, key, entry);
  else {
    shelf.always.push(entry);
    shelf.ofAlways.push(entry.rule);
  }
}

function fileEffect(byEffect: Shelf['byEffect'], { kind, word }: EffectKey, entry: Entry): void {
  const ofKind: OfKind = byEffect.get(kind) ?? { all: [], byWord: new Map() };
  byEffect.set(kind, ofKind);
  if (word === null) ofKind.all.push(entry);
  else listIn(ofKind.byWord, word, entry);
}

function listIn<Key>(map: Map<Key, Entry[]>, key: Key, entry: Entry): void {
  const listed = map.get(key);
  if (listed) listed.push(entry);
  else map.set(key, [entry]);
}

function addAll(found: Entry[], entries: readonly Entry[] | undefined): void {
  for (const entry of entries ?? []) {
    if (entry.search === search) continue;
    entry.search = search;
    found.push(entry);
  }
}
