import { wordsFor } from '../../knowledge/load.ts';
import { once, remember } from '../../platform/bounded.ts';

/** Words in the names of disposable resources. */
const passing = once(() => new Set(wordsFor('passing-name')));
/** Words in the names of resources to keep. They win over all other words. */
const kept = once(() => new Set(wordsFor('kept-name')));

type Contexts = 'here-engine' | 'here-cluster' | 'own-engine';

const contexts = remember((use: Contexts) => {
  const names = wordsFor(use).map((name) =>
    name.replaceAll('.', '\\.').replace(/\*+/g, (stars) => (stars === '*' ? '\\w*' : '[\\w.-]*')),
  );
  return new RegExp(`^(?:${names.join('|')})$`);
});

/** Whether a context is one of those that `places.yaml` lists. */
export function isContext(use: Contexts, name: string): boolean {
  return contexts(use).test(name);
}

/** The words of a name: `shopTest_2` is shop, test and 2. */
function wordsOf(name: string): string[] {
  const separate = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  return separate.split(/[^a-z\d]+/).filter((word) => word !== '');
}

/** What a name may be written with; a variable, a list, a pattern or an escape is none. */
const NAME = /^[\w.:@/-]+$/;

/** Whether a name says, in a whole word, that it is for tests or for a while: not `latest`, not `contest`. */
export function isPassing(name: string): boolean {
  if (!NAME.test(name) || name.includes('..')) return false;
  const words = wordsOf(name);
  return (
    words.some((word) => passing().has(word) || passing().has(word.replace(/\d+$/, ''))) && !isKept(name)
  );
}

/** True if a name says that the resource is to be kept. */
export function isKept(name: string): boolean {
  return wordsOf(name).some((word) => kept().has(word));
}

/** Values of settings such as RAILS_ENV; `shop.settings.test` is one of Django's. */
export function isTestEnvironment(value: string): boolean {
  return isPassing(value) && !value.includes('/');
}
