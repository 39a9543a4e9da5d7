import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Clock, stopClock } from '../../test/support/clock.ts';
import { type FakeDaemon, fakeDaemon } from '../../test/support/forwarder.ts';
import { scratchFolder } from '../../test/support/scratch.ts';
import { until } from '../../test/support/until.ts';
import { type Exchange, exchange } from './exchange.ts';
import { FIRST_REPLY_MS } from './limits.ts';

const ANSWER = { action: 'json_output', stdout_json: {} } as const;

/** A call that a daemon has, and a way to reply as the daemon. */
async function held(): Promise<{ clock: Clock; asked: Promise<Exchange>; say(reply: object): void }> {
  const clock = stopClock();
  const socket = join(scratchFolder(), 'socket');
  let say: ((reply: object) => void) | null = null;
  const daemon: FakeDaemon = await fakeDaemon(socket, (_, client) => {
    say = (reply) => void client.write(`${JSON.stringify({ request_id: 'r', ts: 1, ...reply })}\n`);
  });
  onTestFinished(() => daemon.close());
  const asked = exchange(socket, Buffer.from('{"request_id":"r"}\n'), 'r');
  await until(() => say !== null);
  return { clock, asked, say: (reply) => say?.(reply) };
}

test('gives up on a silent daemon', async () => {
  const { clock, asked } = await held();
  await clock.advance(FIRST_REPLY_MS);
  expect(await asked).toEqual({ answer: null, kind: 'silent', why: expect.stringContaining('too long') });
});

test('a hold extends the time for the answer by exactly what it says', async () => {
  const { clock, asked, say } = await held();
  await clock.advance(FIRST_REPLY_MS - 1);
  say({ hold_ms: 20_000 });
  await clock.advance(19_999);
  say({ payload: ANSWER });
  expect(await asked).toEqual({ answer: ANSWER });

  const late = await held();
  late.say({ hold_ms: 20_000 });
  await late.clock.advance(20_000);
  expect(await late.asked).toMatchObject({ answer: null, kind: 'failed' });
});
