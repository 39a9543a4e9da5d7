import { countsAs } from '../knowledge/load.ts';
import { givesAccess } from './access.ts';
import { reachesMany } from './messages.ts';
import { movesMoney } from './money.ts';
import type { How, Phrase } from './phrase.ts';
import { releases } from './releases.ts';
import { takesAway, takesAwayByArguments } from './removals.ts';
import { tellsSecret } from './secrets.ts';

/**
 * The effect of an act, by its words; null if nothing shared changes. `isGone` tells whether something is removed, if
 * the caller knows better than the verb.
 */
export function deedOf(phrase: Phrase, isGone: () => boolean = () => takesAway(phrase)): How | null {
  const { place, readings, verbs, texts } = phrase;
  if (readings.some((words) => tellsSecret(place, words))) return 'secret';
  if (givesAccess(phrase)) return 'access';
  const own = readings[0] ?? [];
  const looks = countsAs('look', own[0] ?? '');
  if ((!looks && isGone()) || takesAwayByArguments(phrase)) return 'destructive';
  if (looks) return null;
  if (verbs.some((words) => movesMoney(phrase, words))) return 'money';
  if (verbs.some((words) => reachesMany(phrase, words))) return 'message';
  return verbs.some((words) => releases(words, texts)) ? 'release' : null;
}
