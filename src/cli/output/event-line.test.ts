import { expect, test } from 'vitest';
import { storedEvent } from '../../../test/support/store/store.ts';
import type { Opinion } from '../../model/recording.ts';
import { allow, ask, deny, type HookResponse } from '../../model/responses.ts';
import { eventLine } from './event-line.ts';

type Given = readonly [kind: Opinion['kind'], by: string, response: HookResponse];

function lineOf(response: HookResponse, ...given: readonly Given[]): string {
  const opinions = given.map(([kind, by, own]) => ({ kind, by, where: null, response: own }));
  const rules = given.filter(([kind]) => kind === 'rule').map(([, by]) => by);
  return eventLine(storedEvent({ response, opinions, rules }));
}

test.each<[names: string, response: HookResponse, given: readonly Given[]]>([
  [
    'deny my-hook',
    deny('No.'),
    [
      ['rule', 'my-rule', ask('Sure?')],
      ['hook', 'my-hook', deny('No.')],
    ],
  ],
  [
    'deny no-rm, my-hook',
    deny('No.'),
    [
      ['rule', 'no-rm', deny('No.')],
      ['rule', 'my-rule', ask('Sure?')],
      ['hook', 'my-hook', deny('No.')],
    ],
  ],
  [
    'allow my-rule',
    allow(),
    [
      ['rule', 'my-rule', ask('Sure?')],
      ['approval', 'dora', allow()],
    ],
  ],
  ['– my-rule', { decision: 'none', context: 'More.' }, [['rule', 'my-rule', { decision: 'none' }]]],
])('a line names who decided: %s', (names, response, given) => {
  expect(lineOf(response, ...given)).toContain(`${names}  e1`);
});
