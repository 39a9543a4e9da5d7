/** Words that say of a thing that nobody keeps it. */
const PASSING: ReadonlySet<string> = new Set(
  (
    'test tests testing tester testdb dbtest unittest unittests pytest vitest jest rspec cypress playwright e2e ci ' +
    'tmp tmpdb temp temporary scratch sandbox throwaway disposable ephemeral dummy example examples fixture fixtures ' +
    'spec specs smoke mock mocks bench benchmark benchmarks testdata loadtest perftest testcontainers'
  ).split(' '),
);

/** Words that say of a thing that somebody does, whatever else its name says. */
const KEPT = /^(?:prod|production|prd|live|staging|stage|stg|preprod|backups?|bak|real|archived?)$/;

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
  return words.some((word) => PASSING.has(word) || PASSING.has(word.replace(/\d+$/, ''))) && !isKept(name);
}

/** Whether a name says that somebody keeps what it is of. */
export function isKept(name: string): boolean {
  return wordsOf(name).some((word) => KEPT.test(word));
}

/** Values of settings such as RAILS_ENV; `shop.settings.test` is one of Django's. */
export function isTestEnvironment(value: string): boolean {
  return isPassing(value) && !value.includes('/');
}
