import { countsAs } from '../knowledge/load.ts';
import type { Use } from '../knowledge/vocabulary.ts';
import { allWords, hasWord, type Phrase } from './phrase.ts';
import { textsIn, wordSet, wordsOf } from './text-words.ts';

/** True if others can do or see more afterwards, or a key changes. */
export function givesAccess(phrase: Phrase): boolean {
  const { input } = phrase;
  const named = allWords(phrase);
  const has = (use: Use) => hasWord(use, named);
  if (forwards(phrase, named) || letsOutsidersIn(named)) return true;
  if (named.includes('transfer') && has('noun-big')) return true;
  if (named.includes('unprotect') || (has('changes') && has('noun-guard'))) return true;
  if (/(?:^|_)(?:rotate|regenerate|revoke|reset)_/.test(named.join('_')) && has('noun-key')) return true;
  if (/(?:create|add|generate)_(?:\w{1,80}_)?(?:access|api|deploy|ssh|account)_key/.test(named.join('_')))
    return true;
  const isOpened = input.visibility === 'public' || input.private === false;
  return (
    (has('changes') && (isOpened || isUnguarded(input))) ||
    opensToAll(phrase) ||
    isShared(input, named) ||
    isPromoted(input, named) ||
    (has('noun-people') && has('changes') && isDisabled(input))
  );
}

const OUTSIDERS = wordSet('external externally guest guests outsider outsiders anonymous');

/** `invite_external`, `share_externally`. */
function letsOutsidersIn(named: readonly string[]): boolean {
  return (
    named.some((word) => OUTSIDERS.has(word)) &&
    named.some((word) => /^(?:invite|share|add|enable|allow)$/.test(word)) &&
    !countsAs('look', named[0] ?? '')
  );
}

const FORWARDS =
  /^(?:auto_?)?(?:forward|redirect)(?:ing|s|ed)?(?:_?(?:to|as_?attachment_?to|address|email))?$/i;

/** Mail also goes to another address from now on. */
function forwards({ readings, texts }: Phrase, named: readonly string[]): boolean {
  if (countsAs('look', readings[0]?.[0] ?? '')) return false;
  if (
    named.some((word) => /^(?:auto)?forwarding$/.test(word)) &&
    named.some((word) => /^(?:create|add|set|put|update|enable|patch|post)$/.test(word))
  )
    return true;
  const isRule = named.some((word) => /^(?:filter|rule|setting)s?$/.test(word));
  return (
    isRule &&
    texts.some(({ key, text }) => /@/.test(text) && (FORWARDS.test(key) || /^(?:address|email)/i.test(key)))
  );
}

/** `deletion_protection: false`. */
function isUnguarded(input: Phrase['input']): boolean {
  return Object.entries(input).some(([key, value]) => value === false && hasWord('noun-guard', wordsOf(key)));
}

/** `accountEnabled: false`. */
function isDisabled(input: Phrase['input']): boolean {
  return Object.entries(input).some(
    ([key, value]) => value === false && /^(?:account_?)?(?:is_?)?(?:enabled|active)$/i.test(key),
  );
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
    ({ key, text }) =>
      letsAllIn(text) ||
      (text === '*' && WHO_KEY.test(key)) ||
      PUBLIC_KEY.test(text) ||
      (text.length < LONGEST_RULES && opensRules(text)),
  );
}

const LONGEST_RULES = 64 * 1024;
/** Who may read and write in a store that is open to the public. */
const OPEN_RULE =
  /\ballow\b[^;:{}]{0,60}\bwrite\b[^;:{}]{0,20}(?::\s{0,9}if\s{1,9}true\b|;)|"\.write"\s{0,9}:\s{0,9}"?true|"Effect"\s{0,9}:\s{0,9}"Allow"[^}]{0,300}"Principal"\s{0,9}:\s{0,9}(?:"\*"|\{\s{0,9}"AWS"\s{0,9}:\s{0,9}"\*")|"Principal"\s{0,9}:\s{0,9}(?:"\*"|\{\s{0,9}"AWS"\s{0,9}:\s{0,9}"\*")[^}]{0,300}"Effect"\s{0,9}:\s{0,9}"Allow"/i;

/** Whether rules for a store or a policy let the public change what is there. */
export function opensRules(text: string): boolean {
  return OPEN_RULE.test(text);
}

const SHARES = wordSet('share permission permissions link acl invite');
const ANYONE = /^(?:anyone|anonymous|public|everyone|world|allusers)$/i;

/** With all who know the address. */
function isShared(
  { type, scope, access, audience, grantee }: Phrase['input'],
  named: readonly string[],
): boolean {
  if (!named.some((word) => SHARES.has(word))) return false;
  return [type, scope, access, audience, grantee].some((one) => typeof one === 'string' && ANYONE.test(one));
}

const LETS_IN = wordSet('create add invite update set assign');
const POWERFUL = /(?:^|[\s_/.-])(?:admin(?:istrator)?|owner|root|superuser|super_?admin|maintainer)s?$/i;

export function isPowerful(role: string): boolean {
  return POWERFUL.test(role.trim());
}

/** Grants full access. */
function isPromoted(input: Phrase['input'], named: readonly string[]): boolean {
  const isAboutPeople = named.some(
    (word) => countsAs('noun-people', word) || /^(?:invite|invitation|role|roles)$/.test(word),
  );
  return (
    isAboutPeople &&
    LETS_IN.has(named[0] ?? '') &&
    (textsIn(input).some(
      ({ key, text }) => /role|permission|access_?level/i.test(key) && POWERFUL.test(text),
    ) ||
      /^(?:40|50)$/.test(String(input.access_level)))
  );
}
