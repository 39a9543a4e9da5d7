import { anyWordFor } from '../knowledge/load.ts';
import { once } from '../platform/bounded.ts';
import type { Text } from './text-words.ts';

/** Names of production resources: `shop-prod`, `live`, `db.production`, `shopprod`. */
const production = once(
  () =>
    new RegExp(
      `(?:^|[^a-z])${anyWordFor('production-tool')}(?:[^a-z]|$)|[a-z]{3}${anyWordFor('production-end')}$`,
      'i',
    ),
);
/** Names of test resources. */
const tried = once(() => new RegExp(`(?:^|[^a-z])${anyWordFor('passing-tool')}(?:[^a-z]|$)`, 'i'));
const LONGEST_LABEL = 200;

export function isProduction(texts: readonly { readonly text: string }[]): boolean {
  return texts.some(({ text }) => text.length < LONGEST_LABEL && production().test(text));
}

/** True for the name of a test resource. */
export function isTestName(name: string): boolean {
  return name.length < LONGEST_LABEL && tried().test(name) && !production().test(name);
}

/** Fields that say nothing about where something happens. */
const SAID = /^(?:comment|note|message|description|reason|title|summary|body|content|text|label|tag)s?$/i;

/** True if a name in the arguments, rather than prose, marks a test resource. */
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
