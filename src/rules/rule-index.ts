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

/** Finds the rules that could match an event without asking each of them. */
export interface RuleIndex {
  /** In the order in which they were declared. */
  candidates(facts: Facts): readonly Rule[];
  /** What the rules want to know of what sessions write. */
  readonly conflicts: readonly Conflict[];
  /** What is not to be read without a word, says one rule or another. */
  readonly guarded: readonly PathPatterns[];
}

interface Entry {
  readonly rule: Rule;
  readonly order: number;
  /** The newest search that has found it. */
  search: number;
}

/** The rules about one kind of effect: all such effects, or those with a word. */
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
  /** The places that any of its rules speaks of, as one pattern for each access. */
  readonly places: (access: FileAccess) => PathPatterns;
  /** Whether any of its rules wants to know what a call does. */
  asksWhat: boolean;
  /** What was found before, for the very same effects: a line that is run again has those. */
  readonly known: WeakMap<readonly Found[], Line>;
}

/** A line and where it is run, with what is the same however often that happens. */
interface Line {
  readonly commands: readonly SimpleCommand[];
  readonly home: string | null;
  readonly project: string | null;
  /** Those that could match. */
  readonly rules: readonly Rule[];
  /** Those of them that still could where every path is its real one. */
  readonly byName: readonly Rule[];
  /** What it does. */
  readonly effects: readonly Found[];
}

/** A rule that names a program stands under it, one that names deeds or effects under those, and any other under all. */
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
  // What a tool does that is not a shell is a list of its own for each call, and never met again.
  if (commands.length > 0 || effects.length === 0) shelf.known.set(effects, line);
  return line;
}

/** Most calls touch nothing that any rule speaks of, which is found out for all rules at once. */
function matchingByName(rules: readonly Rule[], { places }: Shelf, facts: Facts): readonly Rule[] {
  /** By access: whether something is near, as far as that was asked. */
  const near: (boolean | undefined)[] = [];
  const isNear = (access: FileAccess, at: number): boolean => {
    near[at] ??= facts
      .effects()
      .some((one) => one.access === access && places(access).mayTouch(one.touched, facts.scope()));
    return near[at];
  };
  const mayMatch = (rule: Rule): boolean => {
    // The patterns of a project may be made to take for ever, and are tried only within limits.
    if (rule.layer === 'project') return true;
    for (let at = 0; at < ACCESSES.length; at += 1) {
      const access = ACCESSES[at];
      if (access && rule.places[access] && !isNear(access, at)) return false;
    }
    return rule.mayMatch?.(facts) ?? true;
  };
  return rules.filter(mayMatch);
}

/** Whether everything is really called as it is spelled. */
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

/** Each search has a number, so that a rule is found once without a set for each call. */
let search = 0;

/** The patterns of a project are not among them: they are tried only within limits. */
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
