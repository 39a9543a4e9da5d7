import { isServerOf } from './services.ts';
import { wordSet, wordsOf } from './text-words.ts';

const READS = wordSet('get read fetch reveal show retrieve export dump download view decrypt');
const SECRETS = wordSet('secret secrets password passwords credential credentials');
/** Only lists or describes. */
const ABOUT = wordSet(
  'list search scanning alert alerts metadata names policy info count generate template note notes obsidian',
);
const ENTRIES = wordSet('item items login kv field entry');

/** True if the response contains a password or a token. */
export function tellsSecret(server: string, named: readonly string[]): boolean {
  const isRead = named.some((word) => READS.has(word)) || named[0] === 'access' || named.at(-1) === 'access';
  if (!isRead) return false;
  if ([...named, ...wordsOf(server)].some((word) => ABOUT.has(word))) return false;
  return (
    named.some((word) => SECRETS.has(word)) ||
    /(?:access|auth|refresh|session)_token|(?:service_role|private|api|access)_keys?/.test(named.join('_')) ||
    (isServerOf('secrets', server) &&
      named.some((word, at) => ENTRIES.has(word) || (at === 0 && named.length === 1)))
  );
}
