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

/** True for a context that `places.yaml` lists. */
export function isContext(use: Contexts, name: string): boolean {
  return contexts(use).test(name);
}

/** The words of a name: `shopTest_2` has shop, test and 2. */
function wordsOf(name: string): string[] {
  const separate = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  return separate.split(/[^a-z\d]+/).filter((word) => word !== '');
}

/** Characters of a literal name. Variables, lists, patterns and escapes don't match. */
const NAME = /^[\w.:@/-]+$/;

/** True if a whole word of a name marks a test or temporary resource: not `latest`, not `contest`. */
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
