import { entryFor } from '../../knowledge/load.ts';
import type { Observation } from '../../knowledge/traits.ts';
import type { Option } from '../analysis.ts';
import { type OptionTable, optionTable } from '../options.ts';
import { readerFor } from '../reading/program-readers.ts';

/** Builtins of the shell, some of which have no file in `knowledge/`. */
const OTHERS: Partial<Readonly<Record<Observation, string>>> = {
  text: ': true false echo printf test [ [[ yes pwd',
  shell:
    'cd pushd popd dirs export declare typeset local readonly unset set shopt alias unalias read mapfile readarray let eval ' +
    'return break continue exit shift trap wait umask ulimit getopts hash source . if while until for case function',
};
const others = new Map<string, Observation>();
for (const kind of ['text', 'shell'] as const)
  for (const name of OTHERS[kind]?.split(' ') ?? []) others.set(name, kind);

const observationOf = (tool: string): Observation | undefined => entryFor(tool)?.observes ?? others.get(tool);

/** Programs that read, unless an option, a second file or a program text says otherwise, which is then an effect. */
export const isSifter = (tool: string): boolean => observationOf(tool) === 'unless-told';

/** Programs that write none of the files that their words name. */
export function isObserver(tool: string): boolean {
  const kind = observationOf(tool);
  if (kind === undefined || kind === 'settings') return readerFor(tool) !== undefined;
  return kind !== 'unless-told';
}

/** Programs that report about the machine, or change it only by known effects. */
export function isLooker(tool: string): boolean {
  const kind = observationOf(tool);
  return kind === 'machine' || kind === 'settings';
}

const isTextOnly = (tool: string): boolean => observationOf(tool) === 'text';

/** All options with which it only reads; undefined if they are not listed, or if one takes a program text. */
function closedTable(tool: string): OptionTable | undefined {
  const reader = readerFor(tool);
  return reader && !reader.scripted ? optionTable(reader.options ?? '') : undefined;
}

/** True if all options that keep a program a reader are known. */
export const isClosed = (tool: string): boolean => closedTable(tool) !== undefined && !isTextOnly(tool);

/** True if an option keeps a program a reader; null if its options are not listed. */
export function isReadingOption(tool: string, { name, raw }: Option): boolean | null {
  if (isTextOnly(tool)) return true;
  const table = closedTable(tool);
  if (table === undefined) return null;
  // Compares the written form: an abbreviation here may be another option of the program.
  const isLong = raw.startsWith('--');
  const written = isLong ? raw.slice(2).replace(/=.*$/s, '') : name.replace(/^--?/, '');
  if (isLong) return table.long.has(written);
  return table.short.has(written) || table.long.has(written);
}
