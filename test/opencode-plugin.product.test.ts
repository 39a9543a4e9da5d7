import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Hooks, PluginInput } from '../src/agents/opencode/plugin.ts';
import { type Product, scratchProduct } from './faults/product.ts';

// The file that setup writes, loaded as the client loads it, and a real daemon.

const RULES = `
rules:
  - { id: guard, command: touch, deny: Files are made by hand here. }
  - { id: other, command: cat, rewrite: { command: echo instead } }
  - { id: fine, command: echo, allow: true }
  - { on: after_tool, command: ls, context: That was a listing. }
  - { on: turn_end, deny: The tests have not run yet. }
`;

interface Called {
  readonly what: string;
  readonly given: unknown;
}

/** A client that writes down what it is told to do. */
async function load(product: Product, { headless }: { headless: boolean }) {
  const file = join(product.folder, '.config', 'opencode', 'plugin', 'hookline.js');
  const argv = process.argv;
  process.argv = ['bun', 'opencode', ...(headless ? ['run'] : [])];
  // A daemon that the plugin starts may only come up when the test has ended, in a home that is being removed.
  vi.stubEnv('HOOKLINE_NO_AUTOSTART', '1');
  onTestFinished(() => {
    process.argv = argv;
    vi.unstubAllEnvs();
  });
  const called: Called[] = [];
  const note = (what: string) => async (given: unknown) => void called.push({ what, given });
  const input: PluginInput = {
    directory: product.folder,
    client: {
      _client: { post: note('post') },
      session: { promptAsync: note('prompt'), abort: note('abort') },
      tui: { showToast: note('toast') },
    },
  };
  const exported: Record<string, unknown> = await import(pathToFileURL(file).href);
  // Each export of its own would be a plugin to the client, and anything else would keep it from loading.
  expect(Object.keys(exported)).toEqual(['default']);
  const hooks: Hooks = await (exported.default as (input: PluginInput) => Promise<Hooks>)(input);
  let calls = 0;
  const before = async (command: string) => {
    calls += 1;
    const call = { tool: 'bash', sessionID: 'ses_1', callID: `call_${calls}` };
    const args = { command };
    await hooks['tool.execute.before'](call, { args });
    return { ...call, args };
  };
  const event = (type: string, properties: object) => hooks.event({ event: { type, properties } });
  return { hooks, before, event, called };
}

async function setUp(): Promise<Product> {
  const product = scratchProduct();
  product.rules(RULES);
  expect(await product.run(['setup', 'opencode', '--yes'])).toMatchObject({ code: 0 });
  return product;
}

const asked = (callID: string) => ({ id: 'per_1', sessionID: 'ses_1', permission: 'bash', tool: { callID } });

test('a rule denies, rewrites, allows and adds context, with the daemon and without it', async () => {
  const product = await setUp();
  await product.up();
  const { hooks, before, event, called } = await load(product, { headless: true });
  for (const mode of ['daemon', 'no daemon']) {
    if (mode === 'no daemon') await product.down();
    await expect(before('touch a'), mode).rejects.toThrow('Files are made by hand here.');
    expect((await before('cat a')).args, mode).toEqual({ command: 'echo instead' });

    // The client takes an answer to its own question only before anything else has happened.
    const { callID } = await before('echo hello');
    called.length = 0;
    void event('permission.asked', asked(callID));
    expect(called, mode).toEqual([
      {
        what: 'post',
        given: expect.objectContaining({ path: { requestID: 'per_1' }, body: { reply: 'once' } }),
      },
    ]);

    const listed = await before('ls');
    called.length = 0;
    void event('permission.asked', asked(listed.callID));
    expect(called, mode).toEqual([]);
    const result = { output: 'a b', metadata: { exit: 0 } };
    await hooks['tool.execute.after'](listed, result);
    expect(result.output, mode).toBe('a b\n\nThat was a listing.');
  }
  const events = await product.events();
  expect(
    events.filter(({ type }) => type === 'before_tool').map(({ response }) => response.decision),
  ).toEqual(['deny', 'none', 'allow', 'none', 'deny', 'none', 'allow', 'none']);
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
});

test.each([true, false])('a turn that may not end continues once (headless: %s)', async (headless) => {
  const product = await setUp();
  await product.up();
  const { hooks, before, event, called } = await load(product, { headless });
  const prompt = (text: string) => {
    const message = { id: 'msg_1', sessionID: 'ses_1' };
    return hooks['chat.message'](
      { sessionID: 'ses_1' },
      { message, parts: [{ type: 'text', text, id: 'prt_1' }] },
    );
  };
  const end = async () => {
    await hooks['experimental.text.complete']({ sessionID: 'ses_1' }, { text: 'Done.' });
    await event('message.part.updated', {
      sessionID: 'ses_1',
      part: { type: 'step-finish', reason: 'stop' },
    });
    await event('session.idle', { sessionID: 'ses_1' });
  };
  await prompt('Work.');
  // A summary that the client asks for ends no turn.
  await hooks['experimental.session.compacting']({ sessionID: 'ses_1' }, { context: [] });
  await end();
  await event('session.compacted', { sessionID: 'ses_1' });
  expect(called).toEqual([]);
  await before('ls');
  await end();
  const sent = {
    path: { id: 'ses_1' },
    body: { parts: [{ type: 'text', text: expect.stringContaining('not run yet') }] },
  };
  expect(called).toEqual([{ what: 'prompt', given: sent }]);
  await prompt(JSON.parse(JSON.stringify(called[0]?.given)).body.parts[0].text);
  await end();
  expect(called).toHaveLength(1);
  await hooks.dispose();
  const events = await product.events();
  expect(events.map(({ type }) => type)).toEqual([
    'session_start',
    'before_agent',
    'pre_compact',
    'post_compact',
    'before_tool',
    'stop',
    'stop',
    'session_end',
  ]);
});

test('records a call that ran with other arguments than evaluated, and doctor reports it', async () => {
  const product = await setUp();
  const { hooks, before } = await load(product, { headless: true });
  const call = await before('ls');
  await hooks['tool.execute.after']({ ...call, args: { command: 'touch a' } }, { output: '' });
  const [, after] = await product.events();
  expect(after).toMatchObject({ type: 'after_tool', problem: expect.stringContaining('other arguments') });
  const { stdout } = await product.run(['doctor', '--json']);
  expect(stdout).toContain('changed-arguments');
});

test('without a way to ask, the failure mode decides, and an unreadable call is denied', async () => {
  const product = await setUp();
  const { before, hooks } = await load(product, { headless: true });
  const file = join(product.paths.bin, 'forwarder.json');
  const settings = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...settings, script: join(product.folder, 'gone.js') }));
  expect((await before('touch a')).args).toEqual({ command: 'touch a' });
  const circular: Record<string, unknown> = { command: 'touch a' };
  circular.self = circular;
  const call = { tool: 'bash', sessionID: 'ses_1', callID: 'call_x' };
  await expect(hooks['tool.execute.before'](call, { args: circular })).rejects.toThrow(
    'Hookline could not check',
  );

  const refusals = {
    opencode: { 'tool.execute.before': { action: 'json_output', stdout_json: { refuse: 'Closed.' } } },
  };
  writeFileSync(file, JSON.stringify({ ...settings, script: 'gone.js', failure: 'closed', refusals }));
  await expect(before('touch a')).rejects.toThrow('Closed.');
});
