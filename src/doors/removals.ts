import { countsAs } from '../knowledge/load.ts';
import type { Use } from '../knowledge/vocabulary.ts';
import { isObject } from '../model/json.ts';
import { allWords, hasWord, type Phrase } from './phrase.ts';
import { isServerOf } from './services.ts';
import { isProduction, isTestName, saysTest } from './test-names.ts';
import { singular, type Text, valuesIn, wordSet, wordsOf } from './text-words.ts';

/** True if the verbs say that something shared is deleted or stops working. */
export function takesAway(phrase: Phrase): boolean {
  return phrase.readings.some((words) => removes(phrase, words));
}

function removes(phrase: Phrase, named: readonly string[]): boolean {
  const { input, texts } = phrase;
  const has = (use: Use, among = named) => hasWord(use, among);
  const isMany = has('noun-many') || asksForAll(input, texts);
  const server = wordsOf(phrase.place);
  const object = named.filter((word) => !countsAs('tool', word) && !server.includes(word));
  const isBig = has('noun-big', object);
  if (has('tool')) return isMany || !isSmall(phrase, object);
  if (has('tool-big')) {
    const isLoss = !isSmall(phrase, object) && (isBig || (named.includes('remove') && takesMore(input)));
    return isLoss || (isMany && named.includes('remove'));
  }
  if (has('rests') || isPowerOff(named)) {
    const isHosted =
      has('noun-hosted', object.map(singular)) ||
      (isBig &&
        SLEEPS.test(named[0] ?? '') &&
        !object.some((word) => /^(?:channel|stream|key|user)s?$/.test(word)));
    if (isHosted && !saysTest(texts) && !isTestName(phrase.place)) return true;
  }
  if (!has('tool-live')) return false;
  return isMany || (isBig && (has('noun-people', object) || isProduction(texts)));
}

const SLEEPS = /^(?:pause|suspend|hibernate|halt|mute|silence)$/;

function isPowerOff(named: readonly string[]): boolean {
  return named.includes('power') && named.includes('off');
}

function isSmall({ place, input, texts }: Phrase, object: readonly string[]): boolean {
  if (countsAs('noun-small', object.at(-1) ?? '')) return !takesMore(input);
  const isKey = typeof input.key === 'string' || Array.isArray(input.keys);
  return isServerOf('keys', place) && isKey && !isProduction(texts);
}

/** What hangs on it goes as well: `remove_container` with `volumes: true`. */
function takesMore(input: Phrase['input']): boolean {
  return Object.entries(input).some(
    ([key, value]) => value === true && wordsOf(key).some((word) => countsAs('noun-big', word)),
  );
}

function asksForAll(input: Phrase['input'], texts: readonly Text[]): boolean {
  return (
    Object.entries(input).some(
      ([key, value]) => value === true && wordsOf(key).some((word) => countsAs('noun-many', word)),
    ) || texts.some(({ text }) => text === '*')
  );
}

/** The same by its arguments, for any name. */
export function takesAwayByArguments(phrase: Phrase): boolean {
  return isReset(phrase) || replaces(phrase);
}

const HISTORY = wordSet('ref refs branch tag push merge rebase');

/** Of git, by a tool of its own: work that is not committed, or commits of others. */
function isReset(phrase: Phrase): boolean {
  const named = allWords(phrase);
  if (phrase.input.force === true && named.some((word) => HISTORY.has(word))) return true;
  return named.includes('reset') && phrase.texts.some(({ text }) => text === 'hard' || text === '--hard');
}

/** A flag says that it destroys, or the last step of a query puts its result in the place of a collection. */
function replaces(phrase: Phrase): boolean {
  const { input, texts } = phrase;
  const named = allWords(phrase);
  const { filter } = input;
  const isWide = isProduction(texts) || (isObject(filter) && Object.keys(filter).length === 0);
  return (
    (named.includes('update') && named.includes('many') && isWide) ||
    texts.some(({ key }) => key === '$out') ||
    [...new Set(flagsIn(input))].some((flag) => isEnd(wordsOf(flag), named)) ||
    isEnded(phrase, named)
  );
}

/** The names under which `true` stands. */
function* flagsIn(input: Phrase['input']): Generator<string> {
  for (const [name, value] of valuesIn(input)) if (value === true || value === 'true') yield name;
}

/** `purge: true`, and `archived: true` of something that others rely on. */
function isEnd(flag: readonly string[], named: readonly string[]): boolean {
  if (hasWord('tool-flag', flag)) return true;
  const verb = flag.length === 1 ? verbBehind(flag[0] ?? '') : null;
  if (verb === null) return false;
  const object = named.filter((word) => !countsAs('changes', word));
  return (
    hasWord('noun-big', named) || (KEEPS.has(verb) && object.length > 0 && !hasWord('noun-small', object))
  );
}

/** What is archived or trashed is gone for all who looked at it. */
const KEEPS = wordSet('archive trash');

const STATE = /^(?:status|state|lifecycle_?state)$/i;
const SWITCH = /^(?:is_?)?(?:enabled|active)$/i;

/** `status: disabled`, `enabled: false` of something that others rely on. */
function isEnded({ input, texts }: Phrase, named: readonly string[]): boolean {
  if (!hasWord('changes', named) || !hasWord('noun-big', named.map(singular))) return false;
  if (
    texts.some(
      ({ key, text }) =>
        STATE.test(key) && (verbBehind(text.toLowerCase()) !== null || /^(?:inactive|off)$/i.test(text)),
    )
  )
    return true;
  for (const [key, value] of valuesIn(input)) if (value === false && SWITCH.test(key)) return true;
  return false;
}

/** `archive` of `archived`, where that verb ends something; null for any other word. */
function verbBehind(participle: string): string | null {
  const verbs = [participle.replace(/d$/, ''), participle.replace(/ed$/, '')];
  const ends = (verb: string) => countsAs('tool', verb) || countsAs('tool-live', verb);
  return participle.endsWith('ed') ? (verbs.find(ends) ?? null) : null;
}
