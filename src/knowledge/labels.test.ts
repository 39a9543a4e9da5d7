import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Labels, parseLabels } from './labels.ts';

const yaml = readFileSync(new URL('../../knowledge/labels.yaml', import.meta.url), 'utf8');

/** The file with other phrases for what is sold. */
function withBuys(...phrases: readonly string[]): Labels {
  const lines = phrases.map((phrase) => `  - '${phrase}'\n`).join('');
  return parseLabels(yaml.replace(/^buys:\n(?: {2}- .*\n)+/m, `buys:\n${lines}`));
}

const buys = (phrase: string, label: string) => new RegExp(`^${withBuys(phrase).buys}$`).test(label);

test.each([
  ['buy now', 'buy now', 'buy it now'],
  ['pay/check_out now', 'check out now', 'check now'],
  ['buy (it/this) now', 'buy now', 'buy that now'],
  ['buy (it/this) now', 'buy this now', 'buy it this now'],
  ['require (any2) review~', 'require two good reviews', 'require two very good reviews'],
  ['deploy ..10 prod*', 'deploy it to production', 'deploy all of it to production'],
  ['deploy ..10 now', 'deploy: now', 'deploynow'],
  ['send to # people', 'send to 48,210 people', 'send to 3 people'],
])('"%s" matches "%s", and not "%s"', (phrase, said, other) => {
  expect([buys(phrase, said), buys(phrase, other)]).toEqual([true, false]);
});

test.each(['Buy', 'buy  now', 'buy.*', '..40', 'buy [now]', '(it)'])(
  '"%s" is an invalid phrase',
  (phrase) => {
    expect(() => withBuys(phrase)).toThrow(`labels.yaml, buys.0: no phrase: ${phrase}`);
  },
);
