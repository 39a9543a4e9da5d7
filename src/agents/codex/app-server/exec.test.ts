import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import {
  commandApproval,
  createFakeHub,
  FakeServer,
  THREAD,
} from '../../../../test/support/agents/codex/app-server.ts';
import { type NativeAnswer, type NativeCall, PASSTHROUGH } from '../../../model/native.ts';
import { overStdio } from './connect.ts';
import { execute } from './exec.ts';
import type { Envelope } from './peer.ts';

const TASK = { prompt: 'Go on.', cwd: '/home/dev/shop', model: null, sandbox: 'read-only' };
const turn = (status: string) => ({
  method: 'turn/completed',
  params: { threadId: THREAD.id, turn: { id: 't', status, items: [] } },
});
const isAnswer = ({ id, method }: Envelope) => id === 0 && method === undefined;

function running(answer: (call: NativeCall) => NativeAnswer | Promise<NativeAnswer> = () => PASSTHROUGH) {
  const fake = new FakeServer();
  fake.answers
    .set('thread/start', { thread: THREAD })
    .set('thread/read', { thread: THREAD })
    .set('turn/start', {});
  const hub = createFakeHub(answer);
  const printed: string[] = [];
  const leaving = new AbortController();
  const done = execute(fake.connect, TASK, {
    ...hub.parts,
    signal: leaving.signal,
    answer: (text) => void printed.push(text),
  });
  return { fake, hub, printed, done, leaving };
}

test("asks about everything, prints the agent's text and ends with the turn", async () => {
  const { fake, printed, done } = running();
  await fake.receives(({ method }) => method === 'turn/start');
  expect(fake.received.find(({ method }) => method === 'thread/start')?.params).toEqual({
    cwd: '/home/dev/shop',
    approvalPolicy: 'untrusted',
    approvalsReviewer: 'user',
    sandbox: 'read-only',
  });
  const item = { type: 'agentMessage', id: 'm', text: 'Done.' };
  fake.send({ method: 'item/completed', params: { threadId: THREAD.id, item } });
  fake.send(turn('completed'));
  expect([await done, printed]).toEqual([true, ['Done.']]);
});

test.each(['failed', 'interrupted'])('a turn that is %s fails', async (status) => {
  const { fake, done } = running();
  await fake.receives(({ method }) => method === 'turn/start');
  fake.send(turn(status));
  expect(await done).toBe(false);
});

test('the session ends with the server', async () => {
  const { fake, hub, done } = running();
  await fake.receives(({ method }) => method === 'turn/start');
  fake.send({ method: 'thread/started', params: { thread: THREAD } });
  fake.send(turn('completed'));
  await done;
  expect(hub.calls.map(({ event }) => event)).toEqual(['thread/started', 'turn/completed', 'thread/closed']);
});

test.each<[string, () => NativeAnswer | Promise<NativeAnswer>]>([
  ['says nothing', () => PASSTHROUGH],
  ['fails', () => Promise.reject(new Error('gone'))],
])('a request is declined when Hookline %s', async (_, answer) => {
  const { fake, done } = running(({ event }) =>
    event === commandApproval(0).method ? answer() : PASSTHROUGH,
  );
  await fake.receives(({ method }) => method === 'turn/start');
  fake.send(commandApproval(0));
  expect(await fake.receives(isAnswer)).toEqual({ id: 0, result: { decision: 'decline' } });
  fake.send(turn('completed'));
  await done;
});

test("denies requests that are not approvals, so that the turn doesn't hang", async () => {
  const { fake, done } = running();
  await fake.receives(({ method }) => method === 'turn/start');
  fake.send({ method: 'item/tool/call', id: 0, params: { threadId: THREAD.id } });
  expect(await fake.receives(isAnswer)).toMatchObject({
    id: 0,
    error: { message: 'not supported in a headless run' },
  });
  fake.send(turn('completed'));
  await done;
});

test("a server that disconnects midway hasn't finished the work", async () => {
  const { fake, done } = running();
  await fake.receives(({ method }) => method === 'turn/start');
  fake.drop();
  expect(await done).toBe(false);
});

/** A server that is a process: says its messages, one a line, and something that is none. */
const SERVER = `
  const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
  process.stdout.write('not a message\\n');
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (method === 'initialize') say({ id, result: {} });
    else if (method === 'thread/start') say({ id, result: { thread: { id: 'thread-1' } } });
    else if (method === 'turn/start') {
      say({ id, result: {} });
      say({ method: 'turn/completed', params: { threadId: 'thread-1', turn: { id: 't', status: 'completed' } } });
    } else if (id !== undefined && method) say({ id, error: { code: -32600, message: 'unknown' } });
  }).on('close', () => process.exit(0));
`;

test('talks to a server process over stdin and stdout, and ends it at the end', async () => {
  const child = spawn(process.execPath, ['-e', SERVER], { stdio: ['pipe', 'pipe', 'ignore'] });
  const hub = createFakeHub();
  const signal = new AbortController().signal;
  expect(await execute(overStdio(child), TASK, { ...hub.parts, signal, answer: () => {} })).toBe(true);
  expect(child.exitCode).toBe(0);
});

test('a missing program is an error', async () => {
  const child = spawn('/nowhere/codex', ['app-server'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const hub = createFakeHub();
  const signal = new AbortController().signal;
  await expect(execute(overStdio(child), TASK, { ...hub.parts, signal, answer: () => {} })).rejects.toThrow(
    'ENOENT',
  );
});
