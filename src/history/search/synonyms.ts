import { synonymGroups } from '../../knowledge/load.ts';
import { stemOf } from './words.ts';

/** The most words that a phrase in a group has. */
export const LONGEST_PHRASE = 3;

let made: ReadonlyMap<string, ReadonlySet<string>> | null = null;

/** What else people say for a word, or for several in a row, whatever their endings. */
export function synonymsOf(words: readonly string[]): readonly string[] {
  made ??= tableOf(synonymGroups());
  return [...(made.get(keyOf(words)) ?? [])];
}

const keyOf = (words: readonly string[]): string => words.map(stemOf).join(' ');

/** Each phrase with the other phrases of all its groups. */
function tableOf(groups: readonly (readonly string[])[]): ReadonlyMap<string, ReadonlySet<string>> {
  const table = new Map<string, Set<string>>();
  for (const group of groups) {
    for (const one of group) {
      const key = keyOf(one.split(/[\s-]+/));
      const others = table.get(key) ?? new Set();
      for (const other of group) if (other !== one) others.add(other);
      table.set(key, others);
    }
  }
  return table;
}
