import { entryFor, wordsFor } from '../../knowledge/load.ts';
import type { Place } from '../../knowledge/place.ts';
import { isLike } from '../../knowledge/wildcard.ts';
import type { Analysis, Effect, SimpleCommand, Word } from '../analysis.ts';
import { isHere } from './addresses.ts';
import { isPassing } from './place-names.ts';

/** A command and the line that it is part of. */
export interface InLine {
  readonly command: SimpleCommand;
  readonly index: number;
  readonly line: Analysis;
}

/** A pattern for variable names. */
export type Naming = Pick<RegExp, 'test'>;

/** Variables that a knowledge file names. */
export function like(patterns: readonly string[] = []): Naming {
  return { test: (name) => patterns.some((pattern) => isLike(name, pattern)) };
}

/** How the words of a command determine its server. */
export function placeOfTool({ tool }: SimpleCommand): Place | undefined {
  return tool === null ? undefined : entryFor(tool)?.place;
}

/** Value of an option; undefined if absent, null if unknown. */
export function optionOf({ options }: SimpleCommand, ...names: readonly string[]): string | null | undefined {
  const found = options.findLast(({ name }) => names.includes(name));
  return found && (found.value?.text ?? null);
}

export function hasOption({ options }: SimpleCommand, ...names: readonly string[]): boolean {
  return options.some(({ name }) => names.includes(name));
}

/** The operands; null if one is unknown. */
export function operandsOf({ operands }: SimpleCommand): readonly string[] | null {
  const texts = operands.flatMap(({ text }) => text ?? []);
  return texts.length === operands.length ? texts : null;
}

/** All values that the line assigns to a variable, for any command. */
export function valuesOf({ effects, commands }: Analysis, names: Naming): readonly (string | null)[] {
  const set = effects.flatMap((effect) =>
    effect.kind === 'env' && effect.op === 'set' && names.test(effect.name) ? [effect.value] : [],
  );
  return [...set, ...commands.flatMap((command) => givenToContainer(command, names))];
}

export function isContainer(command: SimpleCommand): boolean {
  return placeOfTool(command)?.is === 'engine';
}

/** `docker exec -e NAME=value`. */
export function givenToContainer(command: SimpleCommand, names: Naming): (string | null)[] {
  if (!isContainer(command)) return [];
  return command.options.flatMap(({ name, value }) => {
    if (name !== '--env') return [];
    const [key = '', ...rest] = (value?.template ?? '').split('=');
    return names.test(key) ? [value?.text == null ? null : rest.join('=')] : [];
  });
}

/** True if it runs programs in a cluster. */
export function isCluster(command: SimpleCommand): boolean {
  return placeOfTool(command)?.is === 'cluster';
}

/** True if a command runs locally, through wrappers whose effects are known. */
export function isRunHere({ command }: InLine): boolean {
  return (
    command.place !== 'remote' &&
    command.via.every((name) => entryFor(name)?.carries?.includes('line') ?? false)
  );
}

/** The command that runs this one in a container; undefined if there is none, null if unclear. */
export function containerOf({ command, index, line }: InLine): InLine | null | undefined {
  if (command.place === 'local') return undefined;
  const around = command.via.filter((name) => /^(?:engine|cluster)$/.test(entryFor(name)?.place?.is ?? ''));
  if (around.length !== 1) return null;
  const at = line.commands.findLastIndex(
    ({ tool, depth, span }, i) =>
      i < index && tool === around[0] && depth < command.depth && span.start === command.span.start,
  );
  const found = line.commands[at];
  return found ? { command: found, index: at, line } : null;
}

const TUNNELLING = ['-L', '-D', '-W', '-w', '-J', '-N', '-f', '-F', '-M', '-O', '-S'];
const SETS_TUNNEL = /forward|tunnel|proxy|control/i;

function valuesText({ options }: SimpleCommand, option: string): string {
  return options.flatMap(({ name, value }) => (name === option ? (value?.template ?? '') : [])).join(' ');
}

/** True if the line may redirect its commands to another server. */
export function isDoubtful({ commands, coverage }: Analysis): boolean {
  return (
    coverage === 'failed' ||
    coverage === 'over-budget' ||
    commands.some((command) => leadsElsewhere(command) || setsUnknown(command))
  );
}

function leadsElsewhere(command: SimpleCommand): boolean {
  const { tool, sub, operands } = command;
  if (tool === null) return false;
  // In the background, ssh only serves a tunnel, which its settings may name.
  if (tool === 'ssh') return hasOption(command, ...TUNNELLING) || SETS_TUNNEL.test(valuesText(command, '-o'));
  if (isCluster(command)) return sub[0] === 'port-forward';
  if (isContainer(command)) return sub[0] === 'context' && sub[1] === 'use';
  const { tunnels = [] } = entryFor(tool) ?? {};
  if (tunnels === true) return true;
  const words = [...sub, ...operands.map(({ template }) => template)];
  return tunnels.some((part) => words.some((word) => word.includes(part)));
}

/** Files that set test variables, or a directory of programs. */
const isHarmless = (file: string): boolean =>
  wordsFor('harmless-settings').some((name) => file === name || file.endsWith(`/${name}`)) || isPassing(file);

/** Variables from a file, or unreadable ones, which may select another database. */
function setsUnknown({ tool, argv }: SimpleCommand): boolean {
  if (tool === 'source' || tool === '.') return !(argv[1]?.text != null && isHarmless(argv[1].text));
  if (!/^(?:env|export|declare|typeset|eval)$/.test(tool ?? '')) return false;
  return argv.some(({ template, text }) => text === null && !/^[A-Za-z_]\w*=/.test(template));
}

/** A quoted password is one word, whatever its value. */
const ONE_WORD = /^[^$`]*"\$\{?\w+\}?"[^$`]*$/;
const PASSWORD = /^(?:-p|--pass|--password|-a|-P)$/;

/** True if all words except passwords are known. */
export function isKnown({ argv, options }: SimpleCommand): boolean {
  return argv.every((word) => word.text !== null || (ONE_WORD.test(word.raw) && isPassword(word, options)));
}

function isPassword(word: Word, options: SimpleCommand['options']): boolean {
  return options.some(({ name, raw, value }) => PASSWORD.test(name) && (raw === word.raw || value === word));
}

/** Effects of one command. */
export function effectsOf({ line, index }: InLine): readonly Effect[] {
  return line.effects.filter(({ command }) => command === index);
}

/** True if every value that the line assigns to such variables is local. */
export function areHere(line: Analysis, names: Naming): boolean {
  return valuesOf(line, names).every((value) => value !== null && isHere(value));
}
