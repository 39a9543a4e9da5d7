import { anyWordFor } from '../knowledge/load.ts';
import { once } from '../platform/bounded.ts';
import type { Text } from './text-words.ts';

/** Names of what people use for real: `shop-prod`, `live`, `db.production`, `shopprod`. */
const production = once(
  () =>
    new RegExp(
      `(?:^|[^a-z])${anyWordFor('production-tool')}(?:[^a-z]|$)|[a-z]{3}${anyWordFor('production-end')}$`,
      'i',
    ),
);
/** Names of what is there to try something out. */
const tried = once(() => new RegExp(`(?:^|[^a-z])${anyWordFor('passing-tool')}(?:[^a-z]|$)`, 'i'));
const LONGEST_LABEL = 200;

export function isProduction(texts: readonly { readonly text: string }[]): boolean {
  return texts.some(({ text }) => text.length < LONGEST_LABEL && production().test(text));
}

/** Whether a name says that it is for trials. */
export function isTestName(name: string): boolean {
  return name.length < LONGEST_LABEL && tried().test(name) && !production().test(name);
}

/** What a text stands under that says nothing of where something happens. */
const SAID = /^(?:comment|note|message|description|reason|title|summary|body|content|text|label|tag)s?$/i;

/** Whether a name among the arguments, and not what is said about them, is one for trials. */
export function saysTest(texts: readonly Text[]): boolean {
  return texts.some(({ key, text }) => !SAID.test(key) && !/\s/.test(text.trim()) && isTestName(text));
}

/** A name of this or one's own network, or of a domain that leads nowhere. */
const OWN_TOP = /^(?:test|local|localhost)$/i;

/** The same of a host: the end of its name says who gives it away, and `api.shop.dev` is not a trial. */
export function isTestHost(host: string): boolean {
  const labels = host.split('.');
  const top = labels.at(-1) ?? '';
  if (labels.length === 1) return /[a-z]/i.test(host) && !host.includes(':') && !production().test(host);
  if (production().test(host)) return false;
  return isTestName(OWN_TOP.test(top) ? host : labels.slice(0, -1).join('.'));
}
