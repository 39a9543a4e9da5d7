import { join as joinPath } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  ASKED,
  commandApproval,
  createFakeHub,
  FakeServer,
  listen,
  THREAD,
  thinking,
} from '../../../../test/support/agents/codex/app-server.ts';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { type NativeAnswer, type NativeCall, PASSTHROUGH } from '../../../model/native.ts';
import { type Connect, overWebSocket } from './connect.ts';
import { backoff, join } from './join.ts';
import type { Envelope } from './peer.ts';

const ACCEPT: NativeAnswer = { action: 'json_output', stdout_json: { decision: 'accept' } };
const active = { threadId: THREAD.id, status: { type: 'active', activeFlags: [] } };
/** Nothing here takes longer than promises do, and those are through before this. */
const allDone = () => new Promise((resolve) => setImmediate(resolve));
const isAnswer = ({ id, method }: Envelope) => id === 0 && method === undefined;

/** A bridge that has joined the fake. Waiting takes no time, and is written down. */
function joined(
  fake: FakeServer,
  answer: (call: NativeCall) => NativeAnswer | Promise<NativeAnswer> = () => PASSTHROUGH,
  connect: Connect = fake.connect,
) {
  fake.answers.set('thread/read', { thread: THREAD });
  fake.answers.set('thread/resume', { thread: THREAD });
  fake.answers.set('thread/unsubscribe', {});
  const hub = createFakeHub(answer);
  const leaving = new AbortController();
  const waits: number[] = [];
  const said: string[] = [];
  const ended = join(connect, {
    ...hub.parts,
    signal: leaving.signal,
    wait: async (ms) => {
      waits.push(ms);
      if (waits.length > 20) leaving.abort();
    },
    say: (line) => void said.push(line),
  });
  const leave = async () => {
    leaving.abort();
    await ended;
  };
  onTestFinished(leave);
  return { hub, waits, said, leave };
}

test('performs the handshake first', async () => {
  const fake = new FakeServer();
  joined(fake);
  await fake.receives(({ method }) => method === 'initialized');
  expect(fake.received[0]).toMatchObject({
    method: 'initialize',
    params: { clientInfo: { name: 'hookline' }, capabilities: { experimentalApi: true } },
  });
});

test('listens to a thread only while it is busy', async () => {
  const fake = new FakeServer();
  joined(fake);
  await fake.receives(({ method }) => method === 'initialized');
  fake.send({ method: 'thread/status/changed', params: active });
  await fake.receives(({ method }) => method === 'thread/resume');
  fake.send({
    method: 'turn/completed',
    params: { threadId: THREAD.id, turn: { id: 't', status: 'completed' } },
  });
  const left = await fake.receives(({ method }) => method === 'thread/unsubscribe');
  expect(left.params).toEqual({ threadId: THREAD.id });
});

test('listens to threads that were already busy', async () => {
  const fake = new FakeServer();
  fake.answers.set('thread/loaded/list', { data: [THREAD.id] });
  joined(fake);
  fake.answers.set('thread/read', { thread: { ...THREAD, status: { type: 'active' } } });
  expect((await fake.receives(({ method }) => method === 'thread/resume')).params).toMatchObject({
    threadId: THREAD.id,
  });
});

describe('an approval', () => {
  test("is answered with Hookline's decision", async () => {
    const fake = new FakeServer();
    const { hub } = joined(fake, () => ACCEPT);
    await fake.receives(({ method }) => method === 'initialized');
    fake.send(commandApproval(0));
    expect(await fake.receives(isAnswer)).toMatchObject({ id: 0, result: { decision: 'accept' } });
    expect(hub.calls).toMatchObject([
      {
        event: commandApproval(0).method,
        payload: { params: commandApproval(0).params, thread: { id: THREAD.id } },
      },
    ]);
  });

  test('is left to others if Hookline makes no decision, fails or is too slow', async () => {
    const outcome = fc.constantFrom<() => NativeAnswer | Promise<NativeAnswer>>(
      () => PASSTHROUGH,
      () => ({ action: 'block_with_stderr', stderr: 'no' }),
      () => Promise.reject(new Error('the daemon has gone')),
      () => {
        throw new Error('broken');
      },
      () => new Promise(() => {}),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(outcome, { minLength: 1, maxLength: 4 }), async (outcomes) => {
        const fake = new FakeServer();
        let asked = 0;
        const { leave } = joined(fake, ({ event }) =>
          event === ASKED ? (outcomes[asked++] ?? (() => PASSTHROUGH))() : PASSTHROUGH,
        );
        await fake.receives(({ method }) => method === 'initialized');
        for (const id of outcomes.keys()) fake.send(commandApproval(id));
        await expect.poll(() => asked, { interval: 1 }).toBe(outcomes.length);
        await allDone();
        await leave();
        expect(fake.received.filter(({ result }) => result !== undefined)).toEqual([]);
        expect(JSON.stringify(fake.received)).not.toContain('accept');
      }),
      { numRuns: 30 },
    );
  });

  test("isn't answered after another client did", async () => {
    const fake = new FakeServer();
    const { begun, answer, decide } = thinking();
    joined(fake, decide);
    await fake.receives(({ method }) => method === 'initialized');
    fake.send(commandApproval(0));
    await begun;
    fake.send({ method: 'serverRequest/resolved', params: { threadId: THREAD.id, requestId: 0 } });
    fake.send({ method: 'thread/status/changed', params: active });
    await fake.receives(({ method }) => method === 'thread/resume');
    answer(ACCEPT);
    await allDone();
    expect(fake.received.filter(isAnswer)).toEqual([]);
  });

  test('of a tool that only another client can run is ignored', async () => {
    const fake = new FakeServer();
    const { hub } = joined(fake, () => ACCEPT);
    await fake.receives(({ method }) => method === 'initialized');
    fake.send({ method: 'item/tool/call', id: 0, params: { threadId: THREAD.id, tool: 'x' } });
    fake.send(commandApproval(1));
    await fake.receives(({ id, method }) => id === 1 && method === undefined);
    expect([hub.calls.length, fake.received.filter(isAnswer)]).toEqual([1, []]);
  });
});

describe('a lost connection', () => {
  test('is reopened, and the pending question gets its answer there', async () => {
    const fake = new FakeServer();
    const { begun, answer, decide } = thinking();
    const { hub } = joined(fake, decide);
    await fake.receives(({ method }) => method === 'initialized');
    fake.send(commandApproval(0));
    await begun;
    const before = fake.received.length;
    fake.drop();
    await fake.receives(
      (message) => message.method === 'initialized' && fake.received.indexOf(message) >= before,
    );
    fake.send(commandApproval(0));
    answer(ACCEPT);
    expect(await fake.receives(isAnswer)).toMatchObject({ result: { decision: 'accept' } });
    expect([fake.connections, hub.calls.filter(({ event }) => event === ASKED).length]).toEqual([2, 1]);
  });

  test('is retried at growing intervals while the server is down', async () => {
    const fake = new FakeServer();
    const { waits, said } = joined(fake, undefined, () => Promise.reject(new Error('server is down')));
    await expect.poll(() => waits.length).toBeGreaterThan(12);
    expect(waits.slice(0, 4)).toEqual([250, 500, 1000, 2000]);
    expect(Math.max(...waits)).toBe(30_000);
    expect(said, 'said once, not at each try').toEqual(['no connection: server is down']);
  });

  test('never waits longer than the maximum', () => {
    fc.assert(
      fc.property(fc.nat(10_000), (failures) => {
        expect(backoff(failures)).toBeLessThanOrEqual(30_000);
      }),
    );
  });
});

describe('over real sockets', () => {
  test('with a token, and not without', async () => {
    const fake = new FakeServer();
    const server = await listen(fake, { token: 'secret' });
    onTestFinished(server.close);
    const connect = (token: string | null) => overWebSocket({ url: server.url, token });
    const none = { message: () => {}, closed: () => {} };
    await expect(connect(null)(none)).rejects.toThrow('401');
    await expect(connect('wrong')(none)).rejects.toThrow('401');
    joined(fake, () => ACCEPT, connect('secret'));
    await fake.receives(({ method }) => method === 'initialized');
    fake.send(commandApproval(0));
    expect(await fake.receives(isAnswer)).toMatchObject({ result: { decision: 'accept' } });
  });

  test('on a path, like the shared server', async () => {
    const folder = scratchFolder();
    const fake = new FakeServer();
    const server = await listen(fake, { path: joinPath(folder, 's.sock') });
    onTestFinished(server.close);
    joined(fake, () => ACCEPT, overWebSocket({ url: server.url, token: null }));
    await fake.receives(({ method }) => method === 'initialized');
    fake.send(commandApproval(0));
    expect(await fake.receives(isAnswer)).toMatchObject({ result: { decision: 'accept' } });
  });
});
