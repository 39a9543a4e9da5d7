import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openWire, scratchHome, startDaemon, until } from '../../../test/support/daemon/daemon.ts';
import { removeWhenEmpty } from '../../../test/support/scratch.ts';
import { homePaths } from '../../home/paths.ts';
import { listEvents } from '../../store/read/queries.ts';
import { exchange } from '../../wire/exchange.ts';
import { MAX_REQUEST_BYTES } from '../../wire/limits.ts';
import { socketPath } from '../../wire/socket-path.ts';
import { serveSocket } from './socket.ts';

const payload = (command = 'ls') => ({
  session_id: 's1',
  cwd: '/',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command },
  tool_use_id: 't1',
});
const request = (id: string, more: Record<string, unknown> = {}) =>
  `${JSON.stringify({ request_id: id, ts: Date.now(), agent: 'claude', payload: payload(), ...more })}\n`;

test('answers a request once it is stored', async () => {
  const daemon = await startDaemon(scratchHome());
  const wire = openWire(daemon.info.socket);
  wire.send(request('r1'));
  expect(await wire.got(1)).toEqual([
    { request_id: 'r1', ts: expect.any(Number), payload: { action: 'passthrough' } },
  ]);
  expect(listEvents(daemon.home.db)).toMatchObject([{ id: 'r1', type: 'before_tool', sequence: 1 }]);
});

test('accepts the envelope of earlier callbacks with all its fields', async () => {
  const daemon = await startDaemon(scratchHome());
  const wire = openWire(daemon.info.socket);
  const { hook_event_name, session_id, ...bare } = payload();
  wire.send(
    request('r1', {
      session_id,
      hook_event_name,
      payload: { ...bare, session_id },
      instance_id: 4711,
      future: { field: true },
    }),
  );
  expect(await wire.got(1)).toMatchObject([{ request_id: 'r1', payload: { action: 'passthrough' } }]);
  expect(listEvents(daemon.home.db)).toMatchObject([{ id: 'r1', type: 'before_tool', sessionId: 's1' }]);
});

test('answers many requests on one connection once each, however they are split', async () => {
  const daemon = await startDaemon(scratchHome());
  const wire = openWire(daemon.info.socket);
  const ids = Array.from({ length: 50 }, (_, at) => `r${at}`);
  const bytes = Buffer.from(ids.map((id) => request(id, { payload: payload('écho ✓') })).join('\n'));
  for (let from = 0; from < bytes.length; from += 97) wire.send(bytes.subarray(from, from + 97));
  const replies = await wire.got(ids.length);
  expect(replies.map((reply) => reply.request_id).sort()).toEqual([...ids].sort());
  const stored = listEvents(daemon.home.db);
  expect(stored.map(({ sequence }) => sequence)).toEqual(ids.map((_, at) => at + 1));
  expect(stored[0]?.tool?.input).toEqual({ command: 'écho ✓' });
});

test("a line that isn't a request gets an error, and the next one its answer", async () => {
  const daemon = await startDaemon(scratchHome());
  const wire = openWire(daemon.info.socket);
  wire.send(`not json\n{"request_id":"r0"}\n\n  \n${request('r1')}`);
  const replies = await wire.got(3);
  expect(replies).toMatchObject([
    { request_id: null, error: { code: 'USAGE' } },
    { request_id: 'r0', error: { code: 'USAGE' } },
    { request_id: 'r1', payload: { action: 'passthrough' } },
  ]);
});

test("an unknown agent gets an error that starts the forwarder's fallback", async () => {
  const daemon = await startDaemon(scratchHome());
  const wire = openWire(daemon.info.socket);
  wire.send(request('r1', { agent: 'cursed' }));
  const [reply] = await wire.got(1);
  expect(reply).toMatchObject({ request_id: 'r1', error: { code: 'AGENT_UNKNOWN' } });
  expect(reply).not.toHaveProperty('payload');
});

test('survives nesting that no forwarder would send', async () => {
  const daemon = await startDaemon(scratchHome());
  const wire = openWire(daemon.info.socket);
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  wire.send(request('r1').replace('"ls"', deep));
  wire.send(request('r2'));
  const replies = await wire.got(2);
  expect(replies.map(({ request_id }) => request_id).sort()).toEqual(['r1', 'r2']);
  for (const reply of replies) expect(JSON.stringify(reply)).not.toContain('allow');
});

test('cuts off an endless line and delays no other sender', async () => {
  const daemon = await startDaemon(scratchHome());
  const endless = openWire(daemon.info.socket);
  const block = Buffer.alloc(1 << 20, 'x');
  let sent = 0;
  endless.socket.on('drain', () => feed());
  const feed = () => {
    while (sent <= MAX_REQUEST_BYTES + (8 << 20) && !endless.socket.destroyed) {
      sent += block.length;
      if (!endless.socket.write(block)) return;
    }
  };
  feed();
  await endless.closed;
  expect(endless.lines).toEqual([]);
  const wire = openWire(daemon.info.socket);
  wire.send(request('r1'));
  expect(await wire.got(1)).toMatchObject([{ payload: { action: 'passthrough' } }]);
});

test('stop answers in-flight calls and doesn’t wait for idle connections', async () => {
  const paths = scratchHome();
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const started: string[] = [];
  const path = socketPath(paths.root);
  const listener = await serveSocket(path, {
    request: async ({ call }) => {
      started.push(call.id);
      await held;
      return { request_id: call.id, ts: 0, payload: { action: 'passthrough' } };
    },
  });
  const busy = openWire(path);
  const idle = openWire(path);
  busy.send(request('r1') + request('r2'));
  await until(() => started.length === 2);
  const closed = listener.close();
  await idle.closed;
  expect(busy.lines).toEqual([]);
  release();
  await closed;
  expect((await busy.got(2)).map(({ request_id }) => request_id)).toEqual(['r1', 'r2']);
  await busy.closed;
});

test.each(['hold_ms', 'busy'])(
  'tells a sender that accepts %s that its call is in progress',
  async (word) => {
    let hear = (): void => {};
    const heard = new Promise<void>((resolve) => {
      hear = resolve;
    });
    const path = socketPath(scratchHome().root);
    const listener = await serveSocket(path, {
      request: async ({ call }) => {
        await heard;
        return { request_id: call.id, ts: 0, payload: { action: 'passthrough' } };
      },
    });
    const line = Buffer.from(request('r1', { accepts: [word, 'error'] }));
    expect(await exchange(path, line, 'r1', { onHeld: () => hear() })).toEqual({
      answer: { action: 'passthrough' },
    });
    await listener.close();
  },
);

test('sends the hold of a busy daemon before the work that blocks it', async () => {
  const paths = scratchHome();
  const path = socketPath(paths.root);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const heard = join(paths.root, 'heard');
  // A file exists before its content.
  const hasArrived = () => existsSync(heard) && readFileSync(heard, 'utf8').includes('\n');
  let arrived: boolean | null = null;
  const listener = await serveSocket(path, {
    async request({ call }, caller) {
      caller.busy(30_000);
      // Like loading rules: nothing else in this process runs in the meantime.
      const deadline = performance.now() + 20_000;
      while (!hasArrived() && performance.now() < deadline)
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      arrived = hasArrived();
      return { request_id: call.id, ts: 1, payload: { action: 'passthrough' } };
    },
  });
  // Renamed, so that the file is complete once it exists.
  const script = `
    const { renameSync, writeFileSync } = require('node:fs');
    const [part, heard] = ${JSON.stringify([`${heard}.part`, heard])};
    const socket = require('node:net').connect(${JSON.stringify(path)});
    socket.once('data', (line) => (writeFileSync(part, line), renameSync(part, heard)));
    socket.write(${JSON.stringify(request('r1'))});`;
  const other = spawn(process.execPath, ['-e', script]);
  onTestFinished(() => void other.kill());
  await until(() => arrived !== null);
  expect(arrived).toBe(true);
  expect(JSON.parse(readFileSync(heard, 'utf8').split('\n')[0] ?? '')).toEqual({
    request_id: 'r1',
    hold_ms: 30_000,
  });
  other.kill();
  await listener.close();
});

test('the socket is only for this user, and replaces one left by a dead daemon', async () => {
  const paths = scratchHome();
  const path = socketPath(paths.root);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
  const daemon = await startDaemon(paths);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(path).isSocket()).toBe(true);
  const wire = openWire(path);
  wire.send(request('r1'));
  await wire.got(1);
  await daemon.stop();
  expect(existsSync(path)).toBe(false);
});

test('a home with a long path has its socket in a short, private directory', async () => {
  const long = homePaths(`${scratchHome().root}/${'long-'.repeat(30)}`);
  mkdirSync(long.root, { recursive: true });
  writeFileSync(long.config, 'http: {port: 0}\n');
  const daemon = await startDaemon(long);
  expect(Buffer.byteLength(daemon.info.socket)).toBeLessThan(100);
  removeWhenEmpty(dirname(daemon.info.socket));
  expect(statSync(dirname(daemon.info.socket)).mode & 0o077).toBe(0);
  const wire = openWire(daemon.info.socket);
  wire.send(request('r1'));
  expect(await wire.got(1)).toMatchObject([{ payload: { action: 'passthrough' } }]);
});

test('parses a large line in a worker, and here if that fails', async () => {
  const paths = scratchHome();
  const path = socketPath(paths.root);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const refusals: ((error: Error) => void)[] = [];
  const listener = await serveSocket(path, {
    request: async ({ call }) => ({ request_id: call.id, ts: 1, payload: { action: 'passthrough' } }),
    readLarge: () =>
      new Promise((_, reject) => {
        refusals.push(reject);
      }),
  });
  const large = openWire(path);
  large.send(request('large', { payload: { text: 'x'.repeat(300_000) } }));
  const small = openWire(path);
  await until(() => refusals.length > 0);
  small.send(request('small'));
  expect(await small.got(1)).toMatchObject([{ request_id: 'small' }]);
  expect(large.lines).toEqual([]);
  for (const refuse of refusals) refuse(new Error('no thread'));
  expect(await large.got(1)).toMatchObject([{ request_id: 'large' }]);
  large.socket.destroy();
  small.socket.destroy();
  await listener.close();
});

test("a large line waits for another one, is told so, and isn't late afterwards", async () => {
  const path = socketPath(scratchHome().root);
  const answers: (() => void)[] = [];
  const listener = await serveSocket(path, {
    request: ({ call, heldUntil }) =>
      new Promise((resolve) => {
        const text = String(heldUntil !== undefined && heldUntil > Date.now());
        const payload = { action: 'block_with_stderr' as const, stderr: text };
        answers.push(() => resolve({ request_id: call.id, ts: 1, payload }));
      }),
  });
  const ask = (id: string, text: string, accepts = ['hold_ms', 'error']) => {
    let hear = () => {};
    const held = new Promise<void>((resolve) => {
      hear = resolve;
    });
    const { payload: _, ...head } = JSON.parse(request(id, { accepts }));
    const line = Buffer.from(`${JSON.stringify({ ...head, payload: { text } })}\n`);
    return { answer: exchange(path, line, id, { onHeld: hear }), held };
  };
  const huge = 'x'.repeat(3 << 20);
  const first = ask('first', huge);
  await until(() => answers.length === 1);
  const second = ask('second', huge);
  await second.held;
  const small = ask('small', 'x');
  await until(() => answers.length === 2);
  answers[1]?.();
  expect(await small.answer).toMatchObject({ answer: { stderr: 'false' } });
  expect(answers).toHaveLength(2);
  answers[0]?.();
  expect(await first.answer).toMatchObject({ answer: { stderr: 'true' } });
  await until(() => answers.length === 3);
  answers[2]?.();
  expect(await second.answer).toMatchObject({ answer: { stderr: 'true' } });
  await listener.close();
});
