import type { EventType } from '../model/events.ts';
import type { SimpleCommand } from '../shell/analysis.ts';
import type { Facts, Found } from './facts.ts';
import type { PathPatterns } from './match/paths.ts';
import type { Rule } from './rule.ts';
import type { Conflict } from './writers.ts';

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
}

interface Shelf {
  readonly always: Entry[];
  readonly byProgram: Map<string, Entry[]>;
  readonly byEffect: Map<string, Entry[]>;
  /** What was found before, for the very same commands and effects: a line that is run again has those. */
  readonly known: WeakMap<
    readonly Found[],
    { readonly commands: readonly SimpleCommand[]; readonly rules: readonly Rule[] }
  >;
}

/** A rule that names a program stands under it, one that names effects under their kinds, and any other under all. */
export function indexRules(rules: readonly Rule[]): RuleIndex {
  const shelves = new Map<EventType, Shelf>();
  for (const [order, rule] of rules.entries()) {
    for (const type of new Set([...rule.on, ...rule.tellsOn])) file(shelfOf(shelves, type), { rule, order });
  }
  return {
    conflicts: [...new Set(rules.flatMap(({ conflict }) => conflict ?? []))],
    guarded: rules.flatMap(({ guards }) => guards ?? []),
    candidates(facts) {
      const shelf = shelves.get(facts.event.type);
      if (!shelf) return [];
      const commands = shelf.byProgram.size > 0 ? (facts.analysis()?.commands ?? NO_COMMANDS) : NO_COMMANDS;
      const effects = shelf.byEffect.size > 0 ? facts.effects() : NO_EFFECTS;
      const before = shelf.known.get(effects);
      if (before?.commands === commands) return before.rules;
      const rules = rulesIn(shelf, commands, effects);
      shelf.known.set(effects, { commands, rules });
      return rules;
    },
  };
}

const NO_COMMANDS: readonly SimpleCommand[] = [];
const NO_EFFECTS: readonly Found[] = [];

function rulesIn(
  shelf: Shelf,
  commands: readonly SimpleCommand[],
  effects: readonly Found[],
): readonly Rule[] {
  const found = new Set(shelf.always);
  for (const { tool } of commands) addAll(found, tool === null ? undefined : shelf.byProgram.get(tool));
  for (const { tags } of effects) addAll(found, shelf.byEffect.get(tags[0] ?? ''));
  return [...found].sort((a, b) => a.order - b.order).map(({ rule }) => rule);
}

function shelfOf(shelves: Map<EventType, Shelf>, type: EventType): Shelf {
  let shelf = shelves.get(type);
  if (!shelf) {
    shelf = { always: [], byProgram: new Map(), byEffect: new Map(), known: new WeakMap() };
    shelves.set(type, shelf);
  }
  return shelf;
}

function file(shelf: Shelf, entry: Entry): void {
  const { programs, effects } = entry.rule;
  const [map, keys] = programs ? [shelf.byProgram, programs] : [shelf.byEffect, effects];
  if (!keys) {
    shelf.always.push(entry);
    return;
  }
  for (const key of new Set(keys)) {
    const listed = map.get(key);
    if (listed) listed.push(entry);
    else map.set(key, [entry]);
  }
}

function addAll(found: Set<Entry>, entries: readonly Entry[] | undefined): void {
  for (const entry of entries ?? []) found.add(entry);
}
