import { join } from 'node:path';
import type { DeedName } from '../knowledge/acts.ts';
import { projectFolderOf } from '../model/events.ts';
import type { Certainty, SimpleCommand } from '../shell/analysis.ts';
import { isCalm } from './calm/calm.ts';
import { type DeedKeys, type DeedPattern, deedKeys, deedPattern } from './deeds/pattern.ts';
import type { Facts, Found } from './facts.ts';
import {
  type CommandPattern,
  type CommandText,
  commandMatches,
  commandPattern,
  lineIsCovered,
} from './match/command.ts';
import {
  type EffectKey,
  type EffectPattern,
  effectKeys,
  effectPattern,
  type Places,
  placesIn,
} from './match/effects.ts';
import { pathPatterns, placeAt } from './match/paths.ts';
import type { PatternReader } from './match/pattern-reader.ts';
import { listed, type WordMatch, wordMatch } from './match/word-match.ts';
import { isRecovered } from './recovery/recovery.ts';
import type { ConditionsText } from './schema.ts';
import { sessionTests } from './session/conditions.ts';

/** True if a condition holds for an event. */
export type Test = (facts: Facts) => boolean;

/** Index keys of a rule: it can match only calls that have one of these. */
export interface Keys {
  readonly programs: readonly string[] | null;
  readonly effects: readonly EffectKey[] | null;
  readonly deeds: DeedKeys | null;
  /** The rule can match only calls that touch a path in each of these. */
  readonly places: Places;
}

/** What is known about conditions before they are compiled. */
export interface Outline extends Keys {
  /** Empty for a rule that names no command. */
  readonly commands: readonly CommandText[];
  /** True if conditions name commands or effects, so that a quick test exists. */
  readonly isRough: boolean;
}

/** What a condition matched in a call; null if it doesn't apply to this kind of data. */
interface Matched {
  readonly commands: readonly number[] | null;
  readonly effects: readonly Found[] | null;
  /** Effects that count as one of its deeds. */
  readonly deeds: readonly Found[];
}

export interface Conditions {
  readonly test: Test;
  /**
   * Quick test. False is certain if every path is its real path, and then stays the same for a line. Null without
   * commands and effects.
   */
  readonly mayMatch: Test | null;
  /** The deeds that the conditions name; null if none. */
  readonly names: ReadonlySet<DeedName> | null;
  matched(facts: Facts): Matched;
}

/** Options for compiling conditions. */
interface How {
  /** Compiles stricter conditions, for an allow. */
  readonly forAllow: boolean;
  /** Minimum certainty of an effect. */
  readonly least?: Certainty | undefined;
  readonly reader: PatternReader;
}

/** The outline of conditions, or the problem with their patterns. */
export function outlineOf(
  text: ConditionsText,
  reader: PatternReader,
): Outline | { readonly problem: string } {
  const problem = reader.check(text);
  if (problem !== null) return { problem };
  const commands = readCommands(text.command, reader);
  if ('problem' in commands) return commands;
  const places = placesIn(text);
  const effects = effectKeys(text, places);
  const deeds = deedKeys(text);
  const isAny = text.command === undefined || commands.some(({ tool }) => tool === null);
  return {
    commands,
    programs: isAny ? null : commands.flatMap(({ tool }) => tool ?? []),
    effects,
    deeds,
    places,
    isRough: effects !== null || deeds !== null || (!text.calm && commands.length > 0),
  };
}

/** All conditions of a rule as one test, or the problem with them. */
export function compileConditions(
  text: ConditionsText,
  { commands, deeds: deedsNamed, places }: Outline,
  { forAllow, least = 'likely', reader }: How,
): Conditions | { readonly problem: string } {
  const tests: Test[] = [];
  const patterns = commands.map(commandPattern);
  cheapTests(text, tests);
  if (forAllow) tests.push((facts) => facts.runOptions().every((name) => text.when?.includes(name) === true));
  if (text.calm) tests.push((facts) => isCalm(facts, patterns));
  else if (text.command !== undefined) tests.push(commandTest(patterns, forAllow));
  const deeds = deedsNamed && deedPattern(deedsNamed, least);
  if (deeds) tests.push(deeds.test);
  const effects = effectPattern(text, places, least);
  const nothingElse = (facts: Facts) =>
    effects === null || touchesOnly(effects, facts, text.command !== undefined);
  if (effects) tests.push(forAllow ? (facts) => effects.test(facts) && nothingElse(facts) : effects.test);
  const hosts = listed(text.host)?.map(wordMatch);
  if (hosts) tests.push(hostTest(hosts, forAllow && text.command === undefined, forAllow));
  costlyTests(text, tests);
  if (text.when !== undefined) {
    const expression = reader.when(text.when);
    if ('problem' in expression) return { problem: `when: ${expression.problem}` };
    tests.push(expression);
  }
  const ways = listed(text.recovery);
  if (ways)
    tests.push((facts) =>
      (effects?.find(facts) ?? facts.effects()).some((one) => isRecovered(ways, [one], facts)),
    );
  return {
    test: (facts) => {
      for (const test of tests) if (!test(facts)) return false;
      return true;
    },
    mayMatch: roughTest(text.calm ? [] : patterns, deeds, effects),
    names: deedsNamed && new Set(deedsNamed.names),
    matched: (facts) => ({
      commands:
        text.command === undefined ? (deeds?.commands(facts) ?? null) : matchedCommands(patterns, facts),
      effects: effects?.find(facts) ?? null,
      deeds: deeds?.find(facts) ?? [],
    }),
  };
}

/**
 * An allow by touched files covers only calls that touch no other files that way. What else a command line may do is up
 * to `command`.
 */
function touchesOnly({ places }: EffectPattern, facts: Facts, namesCommand: boolean): boolean {
  if (facts.analysis() !== null && !namesCommand) return false;
  return facts.effects().every(
    ({ access, touched, certainty }) =>
      access === null ||
      // What else a program may do is up to `command`.
      access === 'expose' ||
      (certainty === 'certain' && (places[access]?.cover(touched, facts.scope()) ?? true)),
  );
}

export function readCommands(
  command: ConditionsText['command'],
  reader: PatternReader,
): readonly CommandText[] | { readonly problem: string } {
  const commands: CommandText[] = [];
  for (const one of listed(command) ?? []) {
    const read = reader.command(one);
    if ('problem' in read) return { problem: `command: ${read.problem}` };
    commands.push(read);
  }
  return commands;
}

function roughTest(
  patterns: readonly CommandPattern[],
  deeds: DeedPattern | null,
  effects: EffectPattern | null,
): Test | null {
  if (patterns.length === 0 && deeds === null) return effects?.mayHold ?? null;
  return (facts) =>
    (patterns.length === 0 || isNamed(patterns, facts)) &&
    (deeds?.test(facts) ?? true) &&
    (effects?.mayHold(facts) ?? true);
}

/** Includes dry runs. Runs for every candidate of every call, where closures made an eighth of the garbage. */
function isNamed(patterns: readonly CommandPattern[], facts: Facts): boolean {
  for (const command of facts.analysis()?.commands ?? []) if (fitsOne(patterns, command)) return true;
  return false;
}

function fitsOne(patterns: readonly CommandPattern[], command: SimpleCommand): boolean {
  for (const pattern of patterns) if (commandMatches(pattern, command)) return true;
  return false;
}

function matchedCommands(patterns: readonly CommandPattern[], facts: Facts): number[] {
  const commands = facts.analysis()?.commands ?? [];
  return [...commands.keys()].filter((index) => {
    const command = commands[index];
    return command !== undefined && does(command, patterns);
  });
}

/** A dry run has no effect. */
function does(command: SimpleCommand, patterns: readonly CommandPattern[]): boolean {
  return !command.inert && fitsOne(patterns, command);
}

function cheapTests(text: ConditionsText, tests: Test[]): void {
  const agents = listed(text.agent);
  if (agents) tests.push(({ event }) => agents.includes(event.source));
  const tools = listed(text.tool)?.map(wordMatch);
  if (tools) {
    tests.push(
      ({ tool }) => tool !== null && tools.some((match) => match(tool.name) || match(tool.nativeName)),
    );
  }
  const servers = listed(text.mcp)?.map((pattern) =>
    wordMatch(pattern.includes('/') ? pattern : `${pattern}/*`),
  );
  if (servers) {
    tests.push(({ tool }) => {
      const name = tool?.mcp ? `${tool.mcp.server}/${tool.mcp.tool}` : null;
      return name !== null && servers.some((match) => match(name));
    });
  }
  const prompts = listed(text.prompt)?.map(textMatch);
  if (prompts) {
    tests.push(({ event }) => 'prompt' in event && prompts.some((match) => match(event.prompt ?? '')));
  }
}

function costlyTests(text: ConditionsText, tests: Test[]): void {
  const outputs = listed(text.output)?.map(textMatch);
  if (outputs) {
    tests.push((facts) => {
      const output = facts.output();
      return output !== null && outputs.some((match) => match(output));
    });
  }
  const globs = listed(text.cwd);
  const folders = globs && pathPatterns(globs);
  if (folders) {
    tests.push((facts) => {
      return facts.cwd !== null && folders.touch(placeAt(facts.cwd), facts.scope()) !== null;
    });
  }
  const branches = listed(text.branch)?.map(wordMatch);
  if (branches) {
    tests.push((facts) => {
      const branch = facts.cwd === null ? null : facts.branchOf(facts.cwd);
      return branch !== null && branches.some((match) => match(branch));
    });
  }
  const { coverage, tree } = text;
  if (coverage) tests.push((facts) => facts.analysis()?.coverage === coverage);
  if (tree) tests.push(({ event, world }) => event.cwd !== null && world.treeOf(event.cwd) === tree);
  if (text.untested) tests.push(({ event, memory }) => memory.changedSinceTest(event));
  tests.push(...sessionTests(text));
  const files = listed(text.exists);
  if (files) tests.push((facts) => files.some((path) => isThere(path, facts)));
}

/** Absolute, relative to the home, or relative to the project. */
function isThere(path: string, { world, event }: Facts): boolean {
  const folder = path.startsWith('~/') ? world.home : (projectFolderOf(event) ?? event.cwd);
  const full = path.startsWith('/') ? path : folder === null ? null : join(folder, path.replace(/^~\//, ''));
  return full !== null && world.exists?.(full) === true;
}

function commandTest(patterns: readonly CommandPattern[], forAllow: boolean): Test {
  return (facts) => {
    const analysis = facts.analysis();
    if (!analysis) return false;
    // Command lines that were only guessed from the arguments of a tool can't justify an allow.
    if (forAllow) return facts.tool?.command != null && lineIsCovered(patterns, facts.tool.command, analysis);
    for (const command of analysis.commands) if (does(command, patterns)) return true;
    return false;
  };
}

/** An allow for a host covers only calls that contact no other host, and command lines only if it names them. */
function hostTest(hosts: readonly WordMatch[], notForShells: boolean, forAllow: boolean): Test {
  const isMeant = (host: string | null) => host !== null && hosts.some((match) => match(host));
  return (facts) => {
    if (notForShells && facts.analysis() !== null) return false;
    const used = facts.hosts();
    if (forAllow && facts.tool?.kind === 'mcp') return false;
    return forAllow ? used.length > 0 && used.every(isMeant) : used.some(isMeant);
  };
}

/** `/…/flags` is a regular expression; other text matches literally, ignoring case. */
function textMatch(pattern: string): (text: string) => boolean {
  const [, source, flags] = /^\/(.+)\/([imsu]*)$/s.exec(pattern) ?? [];
  if (source !== undefined) {
    const expression = new RegExp(source, flags);
    return (text) => expression.test(text);
  }
  const wanted = pattern.toLowerCase();
  return (text) => text.toLowerCase().includes(wanted);
}
