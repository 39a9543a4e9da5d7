import { expect, test } from 'vitest';
import { callWith } from '../../../test/support/engine.ts';
import { handled, ruleSetOf, rulesHandlerOf } from '../../../test/support/history/replay.ts';
import { scratchPath } from '../../../test/support/store/store.ts';
import { AGENTS } from '../../agents/_registry.ts';
import { openStore } from '../../store/database/open.ts';
import { createRecorder } from '../../store/record/recorder.ts';
import { recordedCalls } from './recorded-calls.ts';
import { observedRules } from './report.ts';

const THEN = `
rules:
  - { id: push, command: git push, deny: no, mode: observe }
  - { id: gone, command: npm publish, ask: why, mode: observe }
  - { id: holds, command: rm, deny: no }
`;
const NOW = `
rules:
  - { id: push, command: git push, deny: no, mode: observe }
  - { id: silent, command: mkfs, deny: no, mode: observe }
  - { id: holds, command: rm, deny: no }
`;

test('shows what rules in observe mode would have done, with examples, and rules without hits', async () => {
  const db = openStore(scratchPath());
  const lines = ['git push', 'git push', 'git push -f', 'npm publish', 'rm x', 'ls'];
  const calls = lines.map((command) =>
    callWith(
      'claude',
      AGENTS.get('claude')?.toolPayload({ id: 'u', tool: 'Bash', input: { command }, cwd: '/w' }),
    ),
  );
  await handled(calls, (now) => [rulesHandlerOf(THEN, now)], createRecorder(db, { redact: (text) => text }));

  const { rules } = ruleSetOf(NOW).inForce(null);
  const observed = observedRules(recordedCalls(db, {}, 'observed'), rules, AGENTS);
  expect(observed.map(({ rule, times, inForce, decision }) => [rule, times, inForce, decision])).toEqual([
    ['push', 3, true, 'deny'],
    ['gone', 1, false, 'ask'],
    ['silent', 0, true, 'deny'],
  ]);
  expect([...(observed[0]?.examples.keys() ?? [])]).toEqual(['git push', 'git push -f']);
  expect(observed[0]?.since).toBe(calls[0]?.receivedAt);
  expect(observed[2]?.since).toBe(null);
});
