import { once } from 'node:events';
import { request } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openWire, scratchHome, startDaemon, until } from '../../../test/support/daemon/daemon.ts';
import { hookRoutes } from '../http-hooks.ts';
import { createIntake } from '../socket/intake.ts';
import { readHookBody } from './hook-body.ts';

/** Room for one large body at a time, and a clock that the test controls. */
function smallIntake() {
  const due = new Set<() => void>();
  const intake = createIntake({
    mostBytes: 1_000,
    large: 100,
    second: (callback) => {
      const once = () => callback();
      due.add(once);
      return () => void due.delete(once);
    },
  });
  /** Advances the clock until the promise resolves. */
  const passUntil = async <T>(happening: Promise<T>): Promise<T> => {
    let hasHappened = false;
    const happened = () => {
      hasHappened = true;
    };
    happening.then(happened, happened);
    await until(() => {
      const now = [...due];
      due.clear();
      for (const callback of now) callback();
      return hasHappened;
    });
    return happening;
  };
  return { intake, passUntil };
}

/** A body in pieces that counts how many were read. */
function bodyOf(pieces: readonly string[], end: 'close' | 'break' | 'stay' = 'close') {
  let taken = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = pieces[taken];
        if (piece !== undefined) controller.enqueue(Buffer.from(piece));
        else if (end === 'close') controller.close();
        else if (end === 'break') controller.error(new Error('aborted'));
        else return new Promise(() => {});
        taken += 1;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, taken: () => taken };
}

const LARGE = ['a'.repeat(60), 'b'.repeat(60), 'c'.repeat(60)];

test("doesn't continue reading a second large body before the first is answered", async () => {
  const { intake } = smallIntake();
  const first = await readHookBody(bodyOf(LARGE).stream, 180, intake);
  const { stream, taken } = bodyOf(LARGE);
  const reading = readHookBody(stream, 180, intake);
  // The third body was read to its end, so the second would have been too.
  const small = await readHookBody(bodyOf(['a', 'b', 'c', 'd', 'e']).stream, 5, intake);
  expect([small.total, taken()]).toEqual([5, 2]);
  first.load.end();
  const second = await reading;
  expect(second).toMatchObject({ total: 180, isComplete: true });
  expect(second.bytes.toString()).toBe(LARGE.join(''));
});

test('a body that arrived in one piece never waits, even if the intake is full', async () => {
  const { intake } = smallIntake();
  await readHookBody(bodyOf(['x'.repeat(2_000)]).stream, 2_000, intake);
  expect(intake.isFull()).toBe(true);
  expect(await readHookBody(bodyOf(['{}']).stream, 2, intake)).toMatchObject({ total: 2, isComplete: true });
});

test('bytes of a disconnected sender no longer count', async () => {
  const { intake } = smallIntake();
  await expect(readHookBody(bodyOf(['x'.repeat(2_000)], 'break').stream, 4_000, intake)).rejects.toThrow(
    'aborted',
  );
  expect(intake.isFull()).toBe(false);
});

test('gives up on an incomplete body and returns its beginning', async () => {
  const { intake, passUntil } = smallIntake();
  const body = await passUntil(readHookBody(bodyOf(LARGE, 'stay').stream, 300, intake));
  expect(body).toMatchObject({ total: 180, isComplete: false });
  expect(body.bytes.toString()).toBe(LARGE.join(''));
  // Its slot is free again.
  expect(await readHookBody(bodyOf(LARGE).stream, 180, intake)).toMatchObject({ isComplete: true });
});

const TOUCH = {
  session_id: 's1',
  cwd: '/',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'touch x' },
};

async function answerToPart(part: (text: string) => string): Promise<unknown> {
  const { hub } = await startDaemon(scratchHome());
  const { intake, passUntil } = smallIntake();
  const routes = hookRoutes({ hub: { ...hub, intake }, config: { failure: 'open' }, log: () => {} });
  const server = createAdaptorServer({ fetch: routes.fetch }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const text = JSON.stringify(TOUCH);
  const sent = request({ port, host: '127.0.0.1', path: '/hooks/claude', method: 'POST' });
  sent.setHeader('content-length', text.length).write(part(text));
  const [answer] = await passUntil(once(sent, 'response'));
  const parts: Buffer[] = [];
  for await (const chunk of answer) parts.push(chunk);
  sent.destroy();
  return JSON.parse(Buffer.concat(parts).toString());
}

test('a guarded call with an incomplete body is denied, even in failure mode open', async () => {
  expect(await answerToPart((text) => text.slice(0, -10))).toMatchObject({
    hookSpecificOutput: {
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('it took too long to arrive'),
    },
  });
});

test("denies a call whose event didn't arrive", async () => {
  expect(await answerToPart((text) => text.slice(0, 20))).toMatchObject({
    decision: 'block',
    reason: expect.stringContaining('it took too long to arrive'),
  });
});

test('calls over HTTP and over the socket share one limit', async () => {
  const daemon = await startDaemon(scratchHome());
  const begun = vi.spyOn(daemon.hub.intake, 'begin');
  const posted = await fetch(`${daemon.info.http}/hooks/claude`, {
    method: 'POST',
    headers: { authorization: `Bearer ${daemon.token}` },
    body: JSON.stringify(TOUCH),
  });
  expect(posted.status).toBe(200);
  expect(begun).toHaveBeenCalledTimes(1);
  const wire = openWire(daemon.info.socket);
  const envelope = { request_id: 'r1', ts: Date.now(), agent: 'claude', event: 'PreToolUse', env: {} };
  wire.send(`${JSON.stringify({ ...envelope, payload: TOUCH })}\n`);
  await wire.got(1);
  expect(begun).toHaveBeenCalledTimes(2);
});
