import { entryFor, wordsFor } from '../../knowledge/load.ts';
import type { Place } from '../../knowledge/place.ts';
import { isLike } from '../../knowledge/wildcard.ts';
import type { Analysis, Effect, SimpleCommand, Word } from '../analysis.ts';
import { isHere } from './addresses.ts';
import { isPassing } from './place-names.ts';

/** One command among those of its line. */
export interface InLine {
  readonly command: SimpleCommand;
  readonly index: number;
  readonly line: Analysis;
}

/** Which variables are meant. */
export type Naming = Pick<RegExp, 'test'>;

/** Those that a file names. */
export function like(patterns: readonly string[] = []): Naming {
  return { test: (name) => patterns.some((pattern) => isLike(name, pattern)) };
}

/** How the words of a command say where it works. */
export function placeOfTool({ tool }: SimpleCommand): Place | undefined {
  return tool === null ? undefined : entryFor(tool)?.place;
}

/** The value of an option; undefined where it is not given, null where it is not known. */
export function optionOf({ options }: SimpleCommand, ...names: readonly string[]): string | null | undefined {
  const found = options.findLast(({ name }) => names.includes(name));
  return found && (found.value?.text ?? null);
}

export function hasOption({ options }: SimpleCommand, ...names: readonly string[]): boolean {
  return options.some(({ name }) => names.includes(name));
}

/** The operands; null where one of them is not known. */
export function operandsOf({ operands }: SimpleCommand): readonly string[] | null {
  const texts = operands.flatMap(({ text }) => text ?? []);
  return texts.length === operands.length ? texts : null;
}

/** Everything that the line sets a variable to, for whichever command. */
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

/** Whether it runs programs in a cluster. */
export function isCluster(command: SimpleCommand): boolean {
  return placeOfTool(command)?.is === 'cluster';
}

/** Whether a command is run on this machine, by programs of which it is known what they add to it. */
export function isRunHere({ command }: InLine): boolean {
  return (
    command.place !== 'remote' &&
    command.via.every((name) => entryFor(name)?.carries?.includes('line') ?? false)
  );
}

/** The command that runs this one in a container; undefined where none does, null where that is not clear. */
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

/** Whether something in the line makes it doubtful where its commands work. */
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
  // In the background it is there for a tunnel, which its settings may name.
  if (tool === 'ssh') return hasOption(command, ...TUNNELLING) || SETS_TUNNEL.test(valuesText(command, '-o'));
  if (isCluster(command)) return sub[0] === 'port-forward';
  if (isContainer(command)) return sub[0] === 'context' && sub[1] === 'use';
  const { tunnels = [] } = entryFor(tool) ?? {};
  if (tunnels === true) return true;
  const words = [...sub, ...operands.map(({ template }) => template)];
  return tunnels.some((part) => words.some((word) => word.includes(part)));
}

/** Files that set variables for tests, or a place where programs are. */
const isHarmless = (file: string): boolean =>
  wordsFor('harmless-settings').some((name) => file === name || file.endsWith(`/${name}`)) || isPassing(file);

/** Variables from a file, or unreadable ones, which may select another database. */
function setsUnknown({ tool, argv }: SimpleCommand): boolean {
  if (tool === 'source' || tool === '.') return !(argv[1]?.text != null && isHarmless(argv[1].text));
  if (!/^(?:env|export|declare|typeset|eval)$/.test(tool ?? '')) return false;
  return argv.some(({ template, text }) => text === null && !/^[A-Za-z_]\w*=/.test(template));
}

/** A password in quotation marks is one word, whatever it is. */
const ONE_WORD = /^[^$`]*"\$\{?\w+\}?"[^$`]*$/;
const PASSWORD = /^(?:-p|--pass|--password|-a|-P)$/;

/** Whether all words of a command are known, but for passwords. */
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

/** Whether all that the line sets such variables to is this machine. */
export function areHere(line: Analysis, names: Naming): boolean {
  return valuesOf(line, names).every((value) => value !== null && isHere(value));
}
