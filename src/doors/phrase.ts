import { countsAs } from '../knowledge/load.ts';
import type { Use } from '../knowledge/vocabulary.ts';
import type { ToolCall } from '../model/tools.ts';
import type { Text } from './text-words.ts';

/**
 * The words for an act in any form: `nuke_project` of a server, POST /projects/1/nuke, a method in code. All are judged
 * by the same words.
 */
export interface Phrase {
  /** The server or host. */
  readonly place: string;
  /** The words, the verb first; several lists if arguments add to the name. */
  readonly readings: readonly (readonly string[])[];
  /** The same with the verbs of arguments in front. */
  readonly verbs: readonly (readonly string[])[];
  readonly input: ToolCall['input'];
  readonly texts: readonly Text[];
}

/**
 * `destructive`: something is deleted, or stops working for others. `access`: a user may do or see more, or loses a
 * key. `secret`: a password is returned. `money`: a payment is made or received. `message`: many people, or the public,
 * get a message. `release`: others get what was made here.
 */
export type How = 'destructive' | 'access' | 'secret' | 'money' | 'message' | 'release';

/** The longest reading: the name and what the arguments add. */
export function allWords({ readings }: Phrase): readonly string[] {
  return readings.at(-1) ?? [];
}

/** True if one of the words has this use. */
export function hasWord(use: Use, words: readonly string[]): boolean {
  return words.some((word) => countsAs(use, word));
}
