import { countsAs } from '../knowledge/load.ts';
import type { Use } from '../knowledge/vocabulary.ts';
import { allWords, hasWord, type Phrase } from './phrase.ts';
import { textsIn, wordSet, wordsOf } from './words.ts';

/** Whether others may do or see more from now on, or a key is no longer what it was. */
export function givesAccess(phrase: Phrase): boolean {
  const { input } = phrase;
  const named = allWords(phrase);
  const has = (use: Use) => hasWord(use, named);
  if (named.includes('transfer') && has('noun-big')) return true;
  if (named.includes('unprotect') || (has('changes') && has('noun-guard'))) return true;
  if (/(?:^|_)(?:rotate|regenerate|revoke|reset)_/.test(named.join('_')) && has('noun-key')) return true;
  if (/(?:create|add|generate)_(?:\w+_)?(?:access|api|deploy|ssh|account)_key/.test(named.join('_')))
    return true;
  const isOpened = input.visibility === 'public' || input.private === false;
  return (
    (has('changes') && (isOpened || isUnguarded(input))) ||
    opensToAll(phrase) ||
    isShared(input, named) ||
    isPromoted(input, named)
  );
}

/** `deletion_protection: false`. */
function isUnguarded(input: Phrase['input']): boolean {
  return Object.entries(input).some(([key, value]) => value === false && hasWord('noun-guard', wordsOf(key)));
}

const ALL_ADDRESSES = /^(?:0\.0\.0\.0\/0|::\/0)$/;
/** An address range that everyone is in. */
export function letsAllIn(text: string): boolean {
  return ALL_ADDRESSES.test(text);
}

const WHO_KEY = /origin|callback|redirect|principal|member/i;
const PUBLIC_KEY = /^(?:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-\w+) [\w+/=]{20}/;

/** Every address may come in, everything may call back, or a new key lets its owner in. */
function opensToAll({ texts, readings }: Phrase): boolean {
  if (countsAs('look', readings[0]?.[0] ?? '')) return false;
  return texts.some(
    ({ key, text }) => letsAllIn(text) || (text === '*' && WHO_KEY.test(key)) || PUBLIC_KEY.test(text),
  );
}

const SHARES = wordSet('share permission permissions link acl invite');
const ANYBODY = /^(?:anyone|anonymous|public|everyone|world|allusers)$/i;

/** With all who know the address. */
function isShared(
  { type, scope, access, audience, grantee }: Phrase['input'],
  named: readonly string[],
): boolean {
  if (!named.some((word) => SHARES.has(word))) return false;
  return [type, scope, access, audience, grantee].some((one) => typeof one === 'string' && ANYBODY.test(one));
}

const LETS_IN = wordSet('create add invite update set assign');
const POWERFUL = /^(?:admin(?:istrator)?|owner|root|superuser|super_?admin|maintainer)$/i;

export function isPowerful(role: string): boolean {
  return POWERFUL.test(role.trim());
}

/** Somebody may do everything from now on. */
function isPromoted(input: Phrase['input'], named: readonly string[]): boolean {
  const isAboutPeople = named.some(
    (word) => countsAs('noun-people', word) || /^(?:invite|invitation|role|roles)$/.test(word),
  );
  return (
    isAboutPeople &&
    LETS_IN.has(named[0] ?? '') &&
    textsIn(input).some(({ key, text }) => /role|permission/i.test(key) && POWERFUL.test(text))
  );
}
