import { entryFor } from '../../knowledge/load.ts';
import type { Observation } from '../../knowledge/traits.ts';
import type { Option } from '../analysis.ts';
import { type OptionTable, optionTable } from '../options.ts';
import { readerFor } from '../reading/program-readers.ts';

/** Words of the shell itself, of which some have no file in `knowledge/`. */
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

/** Programs that read, unless an option, a second file or a program text of theirs says otherwise: then an effect does. */
export const isSifter = (tool: string): boolean => observationOf(tool) === 'unless-told';

/** Programs that write none of the files that their words name. */
export function isObserver(tool: string): boolean {
  const kind = observationOf(tool);
  if (kind === undefined || kind === 'settings') return readerFor(tool) !== undefined;
  return kind !== 'unless-told';
}

/** Programs that tell about the machine, or change it by effects that are known. */
export function isLooker(tool: string): boolean {
  const kind = observationOf(tool);
  return kind === 'machine' || kind === 'settings';
}

const isTextOnly = (tool: string): boolean => observationOf(tool) === 'text';

/** All options with which it only reads; undefined if they are not listed, or contain a program text. */
function closedTable(tool: string): OptionTable | undefined {
  const reader = readerFor(tool);
  return reader && !reader.scripted ? optionTable(reader.options ?? '') : undefined;
}

/** Whether all options of a program are known that leave it one that only reads. */
export const isClosed = (tool: string): boolean => closedTable(tool) !== undefined && !isTextOnly(tool);

/** True if an option leaves a reading program one that reads; null if its options are not listed. */
export function isReadingOption(tool: string, { name, raw }: Option): boolean | null {
  if (isTextOnly(tool)) return true;
  const table = closedTable(tool);
  if (table === undefined) return null;
  // By its written form: what is an abbreviation to us may be another option to the program.
  const isLong = raw.startsWith('--');
  const written = isLong ? raw.slice(2).replace(/=.*$/s, '') : name.replace(/^--?/, '');
  if (isLong) return table.long.has(written);
  return table.short.has(written) || table.long.has(written);
}
