import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runClient } from 'hookline/testing';

// With the real clients and a model that follows a script: seconds each, and the proof that they do what the hook says.

for (const agent of ['claude', 'gemini', 'codex']) {
  test(`${agent} deploys once, and its model reads why not twice`, async () => {
    const run = await runClient(agent, {
      prompt: 'Deploy.',
      script: ({ shell }) => [[shell('sh deploy.sh')], [shell('sh deploy.sh')], 'Deployed.'],
      hooks: [new URL('../hooks/one-deploy.ts', import.meta.url)],
      files: { 'deploy.sh': 'echo deployed >> deploys.log\n' },
      // From npm, at the version that this Hookline was measured against; without it, the one on your PATH.
      install: true,
    });
    assert.equal(run.code, 0, run.stderr);
    assert.equal(run.files['deploys.log'], 'deployed\n');
    assert.match(run.steps[2].results.join(), /deployed already/);
    const calls = run.events.filter(({ type }) => type === 'before_tool');
    assert.deepEqual(
      calls.map(({ response }) => response.decision),
      ['none', 'deny'],
    );
    assert.deepEqual(run.missingSteps, []);
    assert.deepEqual(run.wanted, []);
  });
}
