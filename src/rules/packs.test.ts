import { describe, expect, test } from 'vitest';
import { factsOf, shellCall } from '../../test/support/rules/rules.ts';
import { openPack, packNames } from './pack.ts';
import { EXAMPLE_PLACES } from './places/example.ts';
import { LONGEST_REASON, reasonFor } from './reason.ts';
import { failedExamples } from './review/examples.ts';

describe.each(packNames())('pack %s', (name) => {
  const pack = openPack(name, false, EXAMPLE_PLACES);

  test('loads without a problem', () => {
    expect(pack.problems()).toEqual([]);
    expect(pack.rules().length).toBeGreaterThan(0);
  });

  test('every deny and ask rule has a next step', () => {
    const stopping = pack.rules().filter(({ response }) => /^(?:deny|ask)$/.test(response.decision));
    expect(stopping.filter(({ next }) => next === null).map(({ id }) => id)).toEqual([]);
  });

  test('reasons are short enough to act on, for any call', () => {
    const long = shellCall(`git push ${'x'.repeat(2_000)}`);
    const texts = pack.rules().map((rule) => reasonFor(rule, long).reason ?? '');
    expect(texts.filter((text) => text.length > LONGEST_REASON)).toEqual([]);
  });

  test('every rule has match and pass examples', () => {
    const bare = pack
      .rules()
      .filter((rule) => Object.values(rule.examples()).some((some) => some.length === 0));
    expect(bare.map(({ id }) => id)).toEqual([]);
  });

  test('follows its examples', () => {
    const failed = pack.rules().flatMap(failedExamples);
    expect(
      failed.map(({ rule, wanted, example, problem }) => ({ id: rule.id, wanted, example, problem })),
    ).toEqual([]);
  });
});

test.each([
  ['root in its home', 'touch /root/.x', '/root', '/root/shop', []],
  ['root in a project there', 'cd src && touch a.ts', '/root', '/root/shop', []],
  ['root in a project there, with another home', 'touch a.ts', '/tmp/home', '/root/shop', []],
  ['root with another home', 'touch /root/.x', '/tmp/home', '/root/shop', ['write-root-home']],
  ['root outside', 'touch a.ts /etc/passwd', '/root', '/root/shop', ['write-system']],
  ['anyone in the home of root', 'touch /root/.x', '/home/dev', '/home/dev/shop', ['write-root-home']],
  ['a service in its home', 'touch ~/cache /var/lib/ci/x', '/var/lib/ci', '/var/lib/ci/shop', []],
  ['a service outside', 'touch ~/cache /var/lib/dpkg/x', '/var/lib/ci', '/var/lib/ci/shop', ['write-system']],
  ['a session that moved to a system folder', 'touch passwd', '/home/dev', '/etc', ['write-system']],
])('%s: %s', (_, command, home, project, asked) => {
  const facts = factsOf(shellCall(command, project), { home });
  const places = openPack('filesystem', false, EXAMPLE_PLACES)
    .rules()
    .filter(({ id }) => /\/write-(?:system|root-home)$/.test(id));
  expect(places.filter((rule) => rule.test(facts)).map(({ id }) => id)).toEqual(
    asked.map((id) => `filesystem/${id}`),
  );
});
