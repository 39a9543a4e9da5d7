import { anyWordFor } from '../../knowledge/load.ts';
import { once } from '../../platform/bounded.ts';

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

/** Whether a name says that nobody uses it for real. */
export function isForTrial(name: string): boolean {
  return name.length < LONGEST_LABEL && tried().test(name) && !production().test(name);
}
