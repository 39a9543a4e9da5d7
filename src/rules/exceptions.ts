import { type Conditions, compileConditions, type Matched, parsePatterns, type Test } from './conditions.ts';
import type { Facts, Found } from './facts.ts';
import { type CommandPattern, commandMatches } from './match/command.ts';
import { ACCESSES, type EffectPattern, effectPattern, hasAll } from './match/effects.ts';
import { listed, type WordMatch, wordMatch } from './match/words.ts';
import type { ConditionsText } from './schema.ts';

/**
 * Whether an exception holds. It has to cover everything that the rule has found: `rm -rf /tmp/x ~` is not excepted
 * because a part of it is in /tmp.
 */
export function compileException(
  text: ConditionsText,
  rule: Conditions,
): Test | { readonly problem: string } {
  const { command, effects, reads, writes, deletes, host, ...others } = text;
  const patterns = parsePatterns(command);
  if ('problem' in patterns) return patterns;
  const rest = compileConditions(others, false);
  if ('problem' in rest) return rest;
  const pattern = effectPattern(text);
  const hosts = listed(host)?.map(wordMatch) ?? null;
  return (facts) => {
    const matched = rule.matched(facts);
    return (
      (command === undefined || coversCommands(patterns, matched, facts)) &&
      (pattern === null || coversEffects(pattern, matched, facts)) &&
      (hosts === null || coversHosts(hosts, facts)) &&
      rest.test(facts)
    );
  };
}

function coversCommands(patterns: readonly CommandPattern[], matched: Matched, facts: Facts): boolean {
  const all = facts.analysis()?.commands ?? [];
  const indexes = matched.commands ?? matched.effects?.map(({ command }) => command) ?? [...all.keys()];
  return (
    indexes.length > 0 &&
    indexes.every((index) => {
      const command = index === null ? undefined : all[index];
      return command !== undefined && patterns.some((pattern) => commandMatches(pattern, command));
    })
  );
}

function coversEffects(pattern: EffectPattern, matched: Matched, facts: Facts): boolean {
  const { alternatives, places } = pattern;
  const effects = inQuestion(matched, facts);
  if (alternatives) {
    const ofKind = effects.filter(({ tags }) => alternatives.some(([kind]) => kind === tags[0]));
    if (ofKind.length === 0 || !ofKind.every(({ tags }) => alternatives.some((words) => hasAll(tags, words))))
      return false;
  }
  return ACCESSES.every((access) => {
    const globs = places[access];
    if (!globs) return true;
    const own = effects.filter((one) => one.access === access);
    const touched = own.length > 0 ? own : facts.effects().filter((one) => one.access === access);
    return (
      touched.length > 0 &&
      touched.every((one) => globs.some((glob) => glob.covers(one.touched, facts.scope())))
    );
  });
}

/** What the rule found, or all that the commands it found do. */
function inQuestion({ effects, commands }: Matched, facts: Facts): readonly Found[] {
  if (effects) return effects;
  if (!commands) return facts.effects();
  return facts.effects().filter(({ command }) => command !== null && commands.includes(command));
}

function coversHosts(hosts: readonly WordMatch[], facts: Facts): boolean {
  const all = facts.hosts();
  return all.length > 0 && all.every((host) => host !== null && hosts.some((match) => match(host)));
}
