import { type Conditions, compileConditions, outlineOf, readCommands, type Test } from './conditions.ts';
import type { Facts, Found } from './facts.ts';
import { type CommandPattern, commandPattern, commandSurelyMatches } from './match/command.ts';
import { ACCESSES, type EffectPattern, effectPattern, hasAll, placesIn } from './match/effects.ts';
import type { PatternReader } from './match/pattern-reader.ts';
import { listed, type WordMatch, wordMatch } from './match/words.ts';
import type { ConditionsText } from './schema.ts';

/** One thing that a rule has found: an effect, or a command with all it does. */
interface Item {
  readonly command: number | null;
  readonly effects: readonly Found[];
}

type Excuse = (item: Item, facts: Facts) => boolean;

/**
 * Whether everything that the rule has found is excused, each thing by one exception or another: `rm -rf /tmp/x ~`
 * does not pass because a part of it is in /tmp.
 */
export function compileExceptions(
  exceptions: readonly ConditionsText[],
  rule: Conditions,
  reader: PatternReader,
): Test | { readonly problem: string } {
  const excuses: Excuse[] = [];
  for (const text of exceptions) {
    const excuse = compileException(text, reader);
    if ('problem' in excuse) return excuse;
    excuses.push(excuse);
  }
  return (facts) => itemsOf(rule, facts).every((item) => excuses.some((excuse) => excuse(item, facts)));
}

/** What the rule speaks of; the call as a whole where it speaks of neither commands nor effects. */
function itemsOf(rule: Conditions, facts: Facts): readonly Item[] {
  const { commands, effects } = rule.matched(facts);
  if (effects) return effects.map((one) => ({ command: one.command, effects: [one] }));
  if (commands) {
    return commands.map((command) => ({
      command,
      effects: facts.effects().filter((one) => one.command === command),
    }));
  }
  const all = facts.analysis()?.commands ?? [];
  return [{ command: all.length === 1 ? 0 : null, effects: facts.effects() }];
}

function compileException(
  text: ConditionsText,
  reader: PatternReader,
): Excuse | { readonly problem: string } {
  const { command, effects, reads, writes, deletes, links, sends, gives, host, ...others } = text;
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
  return (item, facts) =>
    (command === undefined || isCommand(patterns, item, facts)) &&
    (pattern === null || hasEffects(pattern, item, facts)) &&
    (hosts === null || knowsHosts(hosts, facts)) &&
    rest.test(facts);
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
    // A rule about sending may except what is read: then all that is read has to be excepted.
    const touched = own.length > 0 ? own : facts.effects().filter((one) => one.access === access);
    return touched.length > 0 && touched.every((one) => globs.cover(one.touched, facts.scope()));
  });
}

function knowsHosts(hosts: readonly WordMatch[], facts: Facts): boolean {
  const all = facts.hosts();
  return all.length > 0 && all.every((host) => host !== null && hosts.some((match) => match(host)));
}
