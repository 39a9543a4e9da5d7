import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testHook } from 'hookline/testing';

// Without a client: milliseconds, for every case that one can think of.

const hook = new URL('../hooks/one-deploy.ts', import.meta.url);
const shell = (command) => ({ tool: 'Bash', input: { command } });

test('the first deploy has no objection, and is not allowed either: the agent asks as always', async () => {
  assert.deepEqual(await testHook(hook, shell('sh deploy.sh staging')), { decision: 'none' });
});

test('the second deploy of a session is denied, on every agent', async () => {
  for (const agent of ['claude', 'codex', 'gemini']) {
    const calls = [shell('sh deploy.sh'), shell('git status'), shell('cd app && sh deploy.sh')];
    const answers = await testHook(
      hook,
      calls.map((call) => ({ ...call, agent })),
    );
    assert.deepEqual(
      answers.map(({ decision }) => decision),
      ['none', 'none', 'deny'],
    );
    assert.match(answers[2].reason, /deployed already/);
  }
});

test('other commands are none of its business', async () => {
  assert.deepEqual(await testHook(hook, [shell('npm test'), shell('npm test')]), [
    { decision: 'none' },
    { decision: 'none' },
  ]);
});
