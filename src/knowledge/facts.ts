import type { Facts } from './program.ts';

/** The words of a fact; none where a program has no such fact. */
export function factWords(facts: Facts, key: string): readonly string[] {
  const fact = facts[key] ?? [];
  return typeof fact === 'string' ? [fact] : fact;
}

/** A fact of one word. */
export function factWord(facts: Facts, key: string): string | undefined {
  return factWords(facts, key)[0];
}
