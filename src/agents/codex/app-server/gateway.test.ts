import { join as joinPath } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  commandApproval,
  createFakeHub,
  FakeServer,
  THREAD,
  thinking,
} from '../../../../test/support/agents/codex/app-server.ts';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { type NativeAnswer, type NativeCall, PASSTHROUGH } from '../../../model/native.ts';
import { type Connection, overWebSocket } from './connect.ts';
import { serveGateway } from './gateway.ts';
import { type Envelope, readEnvelope } from './peer.ts';

/** A terminal client on a gateway on the fake. */
async function attached(
  answer: (call: NativeCall) => NativeAnswer | Promise<NativeAnswer> = () => PASSTHROUGH,
  soon: () => Promise<unknown> = () => new Promise(() => {}),
) {
  const folder = scratchFolder();
  const path = joinPath(folder, 'g.sock');
  const fake = new FakeServer();
  fake.answers.set('thread/start', { thread: THREAD }).set('thread/read', { thread: THREAD });
  const hub = createFakeHub(answer);
  const gateway = await serveGateway(path, fake.connect, hub.parts, soon);
  const seen: Envelope[] = [];
  const waiting: { fits(message: Envelope): boolean; found(message: Envelope): void }[] = [];
  const line = await overWebSocket({ url: `unix://${path}`, token: null })({
    message: (text) => {
      const message = readEnvelope(text);
      if (message === null) return;
      seen.push(message);
      for (const one of waiting) if (one.fits(message)) one.found(message);
    },
    closed: () => {},
  });
  onTestFinished(() => gateway.close());
  const sees = (fits: (message: Envelope) => boolean) =>
    new Promise<Envelope>((resolve) => {
      const before = seen.find(fits);
      if (before) resolve(before);
      else waiting.push({ fits, found: resolve });
    });
  await shakeHands(line, sees);
  return { fake, hub, line, seen, sees };
}

async function shakeHands(line: Connection, sees: (fits: (m: Envelope) => boolean) => Promise<Envelope>) {
  line.send(JSON.stringify({ method: 'initialize', id: 'a', params: {} }));
  await sees(({ id }) => id === 'a');
}

const askAll = { approvalPolicy: 'untrusted', approvalsReviewer: 'user' };

test.each(['thread/start', 'thread/resume', 'thread/fork', 'turn/start', 'thread/settings/update'])(
  '%s asks about everything, whatever the client wants',
  async (method) => {
    const { fake, line } = await attached();
    const params = { cwd: '/p', approvalPolicy: 'never', approvalsReviewer: 'auto_review' };
    line.send(JSON.stringify({ method, id: 'b', params }));
    expect(await fake.receives(({ id }) => id === 'b')).toMatchObject({ params: { cwd: '/p', ...askAll } });
  },
);

test('passes other messages unchanged, in both directions', async () => {
  const { fake, line, sees } = await attached();
  line.send(JSON.stringify({ method: 'model/list', id: 'b', params: { limit: 1 } }));
  expect(await fake.receives(({ id }) => id === 'b')).toEqual({
    method: 'model/list',
    id: 'b',
    params: { limit: 1 },
  });
  expect(await sees(({ id }) => id === 'b')).toMatchObject({ error: { message: 'no answer to model/list' } });
  fake.send({ method: 'thread/started', params: { thread: THREAD } });
  await sees(({ method }) => method === 'thread/started');
});

test("doesn't show a question that Hookline answers", async () => {
  const { fake, seen, sees } = await attached(({ event }) =>
    event === commandApproval(0).method
      ? { action: 'json_output', stdout_json: { decision: 'decline' } }
      : PASSTHROUGH,
  );
  fake.send(commandApproval(0));
  expect(await fake.receives(({ id, method }) => id === 0 && method === undefined)).toEqual({
    id: 0,
    result: { decision: 'decline' },
  });
  fake.send({ method: 'thread/closed', params: { threadId: THREAD.id } });
  await sees(({ method }) => method === 'thread/closed');
  expect(seen.filter(({ id }) => id === 0)).toEqual([]);
});

test.each<[string, () => NativeAnswer | Promise<NativeAnswer>]>([
  ['has no answer', () => PASSTHROUGH],
  ['fails', () => Promise.reject(new Error('gone'))],
])('if Hookline %s, the user is asked and answers', async (_, answer) => {
  const { fake, line, sees } = await attached(answer);
  fake.send(commandApproval(0));
  expect(await sees(({ id }) => id === 0)).toEqual(commandApproval(0));
  line.send(JSON.stringify({ id: 0, result: { decision: 'accept' } }));
  expect(await fake.receives(({ id, method }) => id === 0 && method === undefined)).toEqual({
    id: 0,
    result: { decision: 'accept' },
  });
});

const isAnswer = ({ id, method }: Envelope) => id === 0 && method === undefined;

test('a pending approval is shown in the client, and the first answer counts', async () => {
  const { begun, answer, decide } = thinking();
  const { fake, line, sees } = await attached(decide, () => Promise.resolve());
  fake.send(commandApproval(0));
  await Promise.all([begun, sees(({ id }) => id === 0)]);
  line.send(JSON.stringify({ id: 0, result: { decision: 'decline' } }));
  await fake.receives(isAnswer);
  answer({ action: 'json_output', stdout_json: { decision: 'accept' } });
  line.send(JSON.stringify({ method: 'model/list', id: 'last' }));
  await fake.receives(({ id }) => id === 'last');
  expect(fake.received.filter(isAnswer)).toEqual([{ id: 0, result: { decision: 'decline' } }]);
});

test("our own requests to the server aren't answered to the client", async () => {
  const { fake, seen, sees, hub } = await attached();
  fake.send({
    method: 'turn/completed',
    params: { threadId: THREAD.id, turn: { id: 't', status: 'completed' } },
  });
  fake.send({ method: 'thread/closed', params: { threadId: THREAD.id } });
  await sees(({ method }) => method === 'thread/closed');
  await fake.receives(({ method }) => method === 'thread/read');
  await expect.poll(() => hub.calls.length).toBe(2);
  expect(seen.filter(({ id }) => String(id).startsWith('hookline'))).toEqual([]);
});
