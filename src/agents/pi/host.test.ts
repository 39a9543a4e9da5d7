import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import type { Instructions } from '../kit/shim/instructions.ts';
import type { Context, Event } from './api.ts';
import { host } from './host.ts';

/** The extension in a client of our own, with a forwarder that gives one answer to each event. */
function loaded(answers: Readonly<Record<string, Instructions>>, { says = false, hasUI = true } = {}) {
  const home = scratchFolder();
  const forwarder = join(home, 'forward');
  const cases = Object.entries(answers).map(
    ([name, answer]) => `${name}) echo '${JSON.stringify(answer)}';;`,
  );
  writeFileSync(forwarder, `#!/bin/sh\ncat >> ${home}/sent\ncase "$2" in\n${cases.join('\n')}\nesac\n`);
  chmodSync(forwarder, 0o755);
  const handlers = new Map<string, ((event: Event, context: Context) => unknown)[]>();
  const socket = join(home, 'missing.sock');
  const settings = { agent: 'pi', version: '1', home, socket, forwarder, deadlineMs: null };
  host({ ...settings, failClosed: false, refusals: {} })({
    on: (name, handler) => void handlers.set(name, [...(handlers.get(name) ?? []), handler]),
    sendMessage: () => {},
  });
  const context = {
    cwd: home,
    mode: 'rpc',
    hasUI,
    sessionManager: { getSessionId: () => 's1', getSessionFile: () => undefined },
    ui: { confirm: vi.fn(async () => says), notify: vi.fn() },
    abort: vi.fn(),
  } satisfies Context;
  const fire = async (name: string, event: Event) => {
    const results = await Promise.all((handlers.get(name) ?? []).map((handler) => handler(event, context)));
    return results[0];
  };
  return { fire, context, home, sent: () => readFileSync(join(home, 'sent'), 'utf8') };
}

const call = (command: string) => ({ toolName: 'bash', toolCallId: 'c1', input: { command } });

test('a question goes to the person, whose answer counts', async () => {
  const ask = { tool_call: { ask: 'Really?' } };
  const yes = loaded(ask, { says: true });
  expect(await yes.fire('tool_call', call('make'))).toBeUndefined();
  expect(yes.context.ui.confirm).toHaveBeenCalledWith('Hookline', 'Really?');
  expect(await loaded(ask).fire('tool_call', call('make'))).toMatchObject({ block: true, reason: 'Really?' });
});

test('a denied command after ! counts as failed', async () => {
  const { fire } = loaded({ user_bash: { refuse: 'Not here.' } });
  expect(await fire('user_bash', { command: 'make' })).toMatchObject({
    result: { output: 'Not here.', exitCode: 1 },
  });
});

test("a turn that should end asks the model nothing more, and its end isn't denied", async () => {
  const { fire, context } = loaded({
    tool_result: { abort: 'Enough.' },
    agent_before_settle: { prompt: 'On.' },
  });
  await fire('tool_result', { ...call('make'), content: [] });
  await fire('turn_start', {});
  expect(context.abort).toHaveBeenCalledOnce();
  expect(await fire('agent_before_settle', { outcome: 'completed', entries: [] })).toBeUndefined();
});

test('changes arguments in place, and records others than those that were evaluated', async () => {
  const { fire, home } = loaded({ tool_call: { args: { command: 'ls' } } });
  const event = call('make');
  await fire('tool_call', event);
  expect(event.input).toEqual({ command: 'ls' });
  await fire('tool_result', { ...event, content: [] });
  const seen = () => JSON.parse(readFileSync(join(home, 'run', 'seen', 'pi.json'), 'utf8'));
  expect(seen()).toMatchObject({ changed: 0 });
  await fire('tool_call', event);
  await fire('tool_result', { ...call('rm -r .'), content: [] });
  expect(seen()).toMatchObject({ changed: 1, tool: 'bash' });
});

test('cancels a compaction and tells the person why', async () => {
  const { fire, context } = loaded({ session_before_compact: { refuse: 'No.', toast: 'Kept.' } });
  expect(await fire('session_before_compact', { reason: 'manual' })).toEqual({ cancel: true });
  expect(context.ui.notify).toHaveBeenCalledWith('Kept.');
});

test('a session reported twice begins once; images and conversations stay in place', async () => {
  const { fire, sent } = loaded({});
  await fire('session_start', { reason: 'new' });
  await fire('session_start', { reason: 'new' });
  const picture = { type: 'image', data: 'AAAA' };
  await fire('tool_result', {
    ...call('x'),
    content: [picture, { type: 'text', text: 'out' }],
    messages: ['all'],
  });
  const payloads = sent().split(/(?<=\})(?=\{)/);
  expect(payloads.map((one) => JSON.parse(one))).toMatchObject([
    { hook_event_name: 'session_start', session_id: 's1' },
    { event: { content: [{ type: 'image' }, { type: 'text', text: 'out' }] } },
  ]);
  expect(sent()).not.toMatch(/AAAA|"all"/);
});

test('a second copy asks nothing about an event that the first one handles, although it gets its own event', async () => {
  const home = scratchFolder();
  const forwarder = join(home, 'forward');
  writeFileSync(forwarder, `#!/bin/sh\necho asked >> ${home}/asked\n`);
  chmodSync(forwarder, 0o755);
  const socket = join(home, 'missing.sock');
  const settings = { agent: 'pi', version: '1', home, socket, forwarder, deadlineMs: null };
  const handlers: ((event: Event, context: Context) => unknown)[] = [];
  for (const copy of [1, 2])
    host({ ...settings, version: `${copy}`, failClosed: false, refusals: {} })({
      on: (name, handler) => void (name === 'tool_call' && handlers.push(handler)),
      sendMessage: () => {},
    });
  const { context } = loaded({});
  for (const handler of handlers) await handler({ ...call('make') }, context);
  expect(handlers).toHaveLength(2);
  expect(readFileSync(join(home, 'asked'), 'utf8')).toBe('asked\n');
});

test('marks a denied stop at the next one, until a prompt begins another turn', async () => {
  const { fire, sent } = loaded({ agent_before_settle: { prompt: 'On.' } });
  const end = { outcome: 'completed', entries: [] };
  await fire('agent_before_settle', end);
  await fire('agent_before_settle', end);
  await fire('input', { text: 'Another thing.' });
  await fire('agent_before_settle', end);
  const ends = sent()
    .split(/(?<=\})(?=\{)/)
    .map((one) => JSON.parse(one))
    .filter(({ hook_event_name }) => hook_event_name === 'agent_before_settle');
  expect(ends.map(({ event }) => event.stopHookActive)).toEqual([false, true, false]);
});
