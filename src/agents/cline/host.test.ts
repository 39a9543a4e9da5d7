import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import type { Instructions } from '../kit/shim/instructions.ts';
import { host } from './host.ts';

/** The plugin in a client of our own, with a forwarder that gives one answer to each event. */
function loaded(answers: Readonly<Record<string, Instructions>>) {
  const home = scratchFolder();
  const forwarder = join(home, 'forward');
  const cases = Object.entries(answers).map(
    ([name, answer]) => `${name}) echo '${JSON.stringify(answer)}';;`,
  );
  writeFileSync(forwarder, `#!/bin/sh\ncat >> ${home}/sent\ncase "$2" in\n${cases.join('\n')}\nesac\n`);
  chmodSync(forwarder, 0o755);
  const socket = join(home, 'missing.sock');
  const settings = { agent: 'cline', version: '1', home, socket, forwarder, deadlineMs: null };
  const plugin = host({ ...settings, failClosed: false, refusals: {} });
  plugin.setup(null, { session: { sessionId: 's1' }, workspaceInfo: { rootPath: '/p' } });
  return { ...plugin.hooks, home, sent: () => readFileSync(join(home, 'sent'), 'utf8') };
}

const messages = [
  { role: 'user', content: [{ text: 'An old secret.' }] },
  { role: 'user', content: [{ text: '<user_input mode="act">go on</user_input>' }] },
];
const call = (input: unknown) => ({
  snapshot: { agentId: 'a1', messages },
  toolCall: { toolCallId: 'c1', toolName: 'run_commands', input },
  input,
});

test('a denial skips the call, and nothing is reported afterwards', async () => {
  const { beforeTool, afterTool, sent } = loaded({ beforeTool: { refuse: 'No.' } });
  expect(await beforeTool(call({ commands: ['make'] }))).toEqual({ skip: true, reason: 'No.' });
  expect(
    await afterTool({ ...call({ commands: ['make'] }), result: { output: { error: 'No.' } } }),
  ).toBeUndefined();
  expect(sent()).not.toContain('afterTool');
});

test('leaves a question to the client, and gives a permission', async () => {
  const asked = await loaded({ beforeTool: { ask: 'Why?' } }).beforeTool(call({ commands: ['make'] }));
  expect(asked).toEqual({ policy: { autoApprove: false }, appendContext: 'Why?' });
  const allowed = loaded({ beforeTool: { reply: { answer: 'once' } } });
  expect(await allowed.beforeTool(call({}))).toEqual({ policy: { autoApprove: true } });
});

test('replaces arguments completely, and records others than those that were evaluated', async () => {
  const { beforeTool, afterTool, home } = loaded({ beforeTool: { args: { command: 'ls' } } });
  expect(await beforeTool(call({ commands: ['make'] }))).toEqual({ input: { commands: ['ls'] } });
  await afterTool(call({ commands: ['ls'] }));
  const seen = () => JSON.parse(readFileSync(join(home, 'run', 'seen', 'cline.json'), 'utf8'));
  expect(seen()).toMatchObject({ changed: 0 });
  await beforeTool(call({ commands: ['make'] }));
  await afterTool(call({ commands: ['rm -r .'] }));
  expect(seen()).toMatchObject({ changed: 1, tool: 'run_commands' });
});

test('stops a run, before it begins and at a call', async () => {
  const { beforeRun, beforeTool } = loaded({
    beforeRun: { refuse: 'No.' },
    beforeTool: { abort: 'Enough.' },
  });
  expect(await beforeRun(call({}))).toEqual({ stop: true, reason: 'No.' });
  expect(await beforeTool(call({}))).toEqual({ stop: true, skip: true, reason: 'Enough.' });
});

test('sends only the last prompt of the conversation', async () => {
  const { beforeRun, sent } = loaded({});
  expect(await beforeRun(call({}))).toBeUndefined();
  expect(sent()).toContain('go on');
  expect(sent()).not.toContain('An old secret.');
});
