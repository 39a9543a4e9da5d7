import { expect, onTestFinished, test, vi } from 'vitest';
import { openTestHistory } from '../../../test/support/history/history.ts';
import { plainWorld, rulesIn } from '../../../test/support/rules/rules.ts';
import { AGENTS } from '../../agents/_registry.ts';
import { recordedCalls } from './recorded-calls.ts';
import { tryRule } from './try-rule.ts';

const parts = { agents: AGENTS, world: plainWorld, timeMs: 60_000 };
const rule = (command: string) => {
  const [one] = rulesIn(`rules:\n  - { id: r, command: ${command}, ask: Why? }\n`);
  if (!one) throw new Error('no rule');
  return one;
};

function recorded(...commands: string[]) {
  const { db, send } = openTestHistory();
  for (const [at, command] of commands.entries())
    for (const hook_event_name of ['PreToolUse', 'PermissionRequest'])
      send('claude', {
        session_id: 's',
        cwd: '/p',
        hook_event_name,
        tool_name: 'Bash',
        tool_input: { command },
        tool_use_id: `t${at}`,
      });
  return db;
}

test("counts each call once, with the saved rule's decision", async () => {
  const db = recorded('npm install left-pad', 'yarn add zod', 'ls');
  const tried = await tryRule(recordedCalls(db), rule('[npm install, yarn add]'), rule('npm install'), parts);
  expect(tried).toMatchObject({ calls: 3, cut: false });
  expect(tried.hits.map(({ subject, saved, draft }) => [subject, saved, draft])).toEqual([
    ['npm install left-pad', true, true],
    ['yarn add zod', false, true],
  ]);
});

test('a weaker draft shows the calls that it lets through', async () => {
  const tried = await tryRule(
    recordedCalls(recorded('make', 'make all')),
    rule('make all'),
    rule('make'),
    parts,
  );
  expect(tried.hits.filter(({ saved, draft }) => saved && !draft).map(({ subject }) => subject)).toEqual([
    'make',
  ]);
});

test('stops when its time is up', async () => {
  const calls = recordedCalls(recorded('make', 'make all', 'make x'));
  let at = 0;
  // Each reading of the clock is later than the longest time that others wait.
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (at += 1_000));
  onTestFinished(() => clock.mockRestore());
  const tried = await tryRule(calls, rule('make'), null, { ...parts, timeMs: 5_000 });
  expect(tried.cut).toBe(true);
  expect(tried.calls).toBeLessThan(3);
});
