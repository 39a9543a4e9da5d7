/**
 * Looks up an own property for a word from outside. A plain index would also find inherited ones: `constructor`,
 * `toString`, `__proto__`.
 */
export function entryOf<V>(table: Readonly<Record<string, V>>, word: string): V | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}
