import { expect, test } from 'vitest';
import type { Opinion } from '../model/recording.ts';
import { allow, ask, deny, type HookResponse } from '../model/responses.ts';
import { eventLine } from './event-line.ts';

type Given = readonly [kind: Opinion['kind'], by: string, response: HookResponse];

function lineOf(response: HookResponse, ...given: readonly Given[]): string {
  return eventLine({
    row: 1,
    id: 'e1',
    type: 'before_tool',
    source: 'an-agent',
    nativeEvent: 'Native',
    sessionId: 's1',
    sequence: 1,
    promptNumber: 1,
    toolNumber: 1,
    timestamp: 0,
    cwd: null,
    projectId: null,
    machineId: null,
    userId: null,
    agentId: null,
    tool: null,
    response,
    opinions: given.map(([kind, by, own]) => ({ kind, by, where: null, response: own })),
    degraded: [],
    rules: given.filter(([kind]) => kind === 'rule').map(([, by]) => by),
    answer: null,
    latencyMs: 1,
    event: {},
    native: null,
  });
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
