import type { DeedName } from '../knowledge/acts.ts';
import { rememberPer } from '../platform/bounded.ts';
import { type Conditions, compileConditions, outlineOf, readCommands } from './conditions.ts';
import { deedOfEffect, deedsOf } from './deeds/deeds.ts';
import { deedKeys } from './deeds/pattern.ts';
import type { Facts, Found } from './facts.ts';
import { type CommandPattern, commandPattern, commandSurelyMatches } from './match/command.ts';
import { ACCESSES, type EffectPattern, effectPattern, hasAll, placesIn } from './match/effects.ts';
import type { PatternReader } from './match/pattern-reader.ts';
import { listed, type WordMatch, wordMatch } from './match/word-match.ts';
import { isRecovered } from './recovery/recovery.ts';
import type { ConditionsText } from './schema.ts';

/** A match of a rule: an effect, or a command with all its effects. */
export interface Item {
  readonly command: number | null;
  readonly effects: readonly Found[];
  /** Its deeds, as far as the rule names them. */
  readonly deeds: readonly DeedName[];
}

type Excuse = (item: Item, facts: Facts) => boolean;

/** The first match of a rule without an exception. */
type Left = (facts: Facts) => Item | undefined;

/** Requires an exception for each match: `rm -rf /tmp/x ~` does not pass because a part of it is in /tmp. */
export function compileExceptions(
  exceptions: readonly ConditionsText[],
  rule: Conditions,
  reader: PatternReader,
): Left | { readonly problem: string } {
  const excuses: Excuse[] = [];
  for (const text of exceptions) {
    const excuse = compileException(text, reader);
    if ('problem' in excuse) return excuse;
    excuses.push(excuse);
  }
  return (facts) => itemsOf(rule, facts).find((item) => !excuses.some((excuse) => excuse(item, facts)));
}

/** The matches of a rule; the call as a whole if it names neither commands nor effects. */
export function itemsOf(rule: Conditions, facts: Facts): readonly Item[] {
  const { commands, effects, deeds } = rule.matched(facts);
  if (effects) return effects.map(alone);
  const all = facts.analysis()?.commands ?? [];
  if (commands) {
    const whole = commands.map((command): Item => {
      const done = all[command] ? deedsOf(all[command]).filter((one) => rule.names?.has(one) ?? true) : [];
      return { command, effects: facts.effects().filter((one) => one.command === command), deeds: done };
    });
    return [...whole, ...deeds.map(alone)];
  }
  return [{ command: all.length === 1 ? 0 : null, effects: facts.effects(), deeds: [] }];
}

function alone(one: Found): Item {
  const name = deedOfEffect(one.tags);
  return { command: one.command, effects: [one], deeds: name === null ? [] : [name] };
}

function compileException(
  text: ConditionsText,
  reader: PatternReader,
): Excuse | { readonly problem: string } {
  const { command, effects, reads, writes, deletes, links, sends, exposes, host, recovery, ...also } = text;
  const { act, object, ...others } = also;
  const problem = reader.check(text);
  if (problem !== null) return { problem };
  const commands = readCommands(command, reader);
  if ('problem' in commands) return commands;
  const patterns = commands.map(commandPattern);
  const outline = outlineOf(others, reader);
  if ('problem' in outline) return outline;
  const rest = compileConditions(others, outline, { forAllow: false, reader });
  if ('problem' in rest) return rest;
  const pattern = effectPattern(text, placesIn(text), 'certain');
  const hosts = listed(host)?.map(wordMatch) ?? null;
  const ways = listed(recovery);
  const keys = deedKeys({ act, object });
  const names = keys && new Set(keys.names);
  // Cached for all matches, of which there may be thousands.
  const isSo = rememberPer((facts: Facts) => rest.test(facts));
  return (item, facts) =>
    (names === null || comesTo(names, item)) &&
    (command === undefined || isCommand(patterns, item, facts)) &&
    (pattern === null || hasEffects(pattern, item, facts)) &&
    (hosts === null || knowsHosts(hosts, facts)) &&
    isSo(facts) &&
    (ways === null || isRecovered(ways, item.effects, facts));
}

/** A command with other effects as well is not excepted. */
function comesTo(names: ReadonlySet<DeedName>, { deeds }: Item): boolean {
  return deeds.length > 0 && deeds.every((one) => names.has(one));
}

function isCommand(patterns: readonly CommandPattern[], item: Item, facts: Facts): boolean {
  const command = item.command === null ? undefined : facts.analysis()?.commands[item.command];
  return command !== undefined && patterns.some((pattern) => commandSurelyMatches(pattern, command));
}

function hasEffects({ alternatives, places }: EffectPattern, item: Item, facts: Facts): boolean {
  if (alternatives) {
    const ofKind = item.effects.filter(({ tags }) => alternatives.some(([kind]) => kind === tags[0]));
    if (ofKind.length === 0 || !ofKind.every(({ tags }) => alternatives.some((words) => hasAll(tags, words))))
      return false;
  }
  return ACCESSES.every((access) => {
    const globs = places[access];
    if (!globs) return true;
    const own = item.effects.filter((one) => one.access === access);
    // If a rule about sending excepts reads, all reads must be excepted.
    const touched = own.length > 0 ? own : facts.effects().filter((one) => one.access === access);
    return touched.length > 0 && touched.every((one) => globs.cover(one.touched, facts.scope()));
  });
}

function knowsHosts(hosts: readonly WordMatch[], facts: Facts): boolean {
  const all = facts.hosts();
  return all.length > 0 && all.every((host) => host !== null && hosts.some((match) => match(host)));
}
