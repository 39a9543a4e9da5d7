import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { plainWorld, shellCall } from '../../../test/support/rules/rules.ts';
import { parseReasons } from '../../knowledge/reasons.ts';
import { deny } from '../../model/responses.ts';
import { parseRules } from '../files/load.ts';
import { createRulesHandler } from '../handler.ts';
import { openPack, packNames } from '../pack.ts';
import { packData } from '../pack-data.ts';
import { EXAMPLE_PLACES } from '../places/example.ts';
import { indexRules } from '../rule-index.ts';
import { createSessionMemory } from '../session/memory.ts';
import { deedKeys } from './pattern.ts';

const sayingSo = packNames().flatMap((name) =>
  (packData().packs[name]?.rules ?? []).filter(({ text: { ask, deny } }) =>
    [ask, deny].includes('by-reason'),
  ),
);

test('every reason is used by a rule of a pack', () => {
  const file = new URL('../../../knowledge/reasons.yaml', import.meta.url);
  const known = Object.keys(parse(readFileSync(file, 'utf8')));
  const said = new Set(
    sayingSo.flatMap(({ text }) => {
      const names = deedKeys(text)?.names ?? [];
      return [...names, ...names.map((name) => name.split(' ')[0])];
    }),
  );
  expect(known.filter((line) => !said.has(line.split(' ').slice(0, 2).join(' ')))).toEqual([]);
});

test('the deed of a call selects the reason', () => {
  const starts = openPack('persistence', false, EXAMPLE_PLACES).rules();
  const index = indexRules(starts.filter(({ id }) => id === 'persistence/starts'));
  const said = (command: string) => {
    const event = shellCall(command);
    const handler = createRulesHandler({
      rulesFor: () => ({ index, problems: [] }),
      world: plainWorld,
      memory: createSessionMemory(),
      failed: (_, what) => deny(what),
    });
    const opinions = handler.decide(event);
    if (opinions instanceof Promise) throw new Error('rules answer at once');
    return opinions.map(({ response }) => response.reason).join();
  };
  expect(said('crontab jobs.txt')).toContain('schedules a command');
  expect(said('systemctl enable x')).toContain('at every boot');
});

test('a rule uses the reason for its act and object', () => {
  const { rules } = parseRules('rules: [{ act: pay, object: capacity, ask: by-reason }]', 'x.yaml');
  expect(rules).toMatchObject([
    {
      response: { decision: 'ask', reason: expect.stringContaining('costs money') },
      next: expect.stringContaining('hourly cost'),
    },
  ]);
});

test.each([
  ['command: rm, ask: by-reason', 'without act or object'],
  ['act: expose, ask: by-reason', 'no reason for one of its acts'],
  ['act: write, object: path, deny: by-reason', 'no reason for one of its acts'],
])('{%s} is rejected', (rule, problem) => {
  const { problems } = parseRules(`rules: [{ ${rule} }]`, 'x.yaml');
  expect(problems.map(({ message }) => message).join()).toContain(problem);
});

test.each([
  ['pay moon: { why: x }', 'pay moon: an act, or an act and an object'],
  ['pay capacity: { next: x }', 'pay capacity.why'],
  ['pay capacity: { why: "" }', 'pay capacity.why'],
])('"%s" is not a reason', (line, problem) => {
  expect(() => parseReasons(line)).toThrow(problem);
});
