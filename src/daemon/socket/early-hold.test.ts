import { expect, test } from 'vitest';
import { MAX_REQUEST_ID_CHARS } from '../../wire/limits.ts';
import { requestLine } from '../../wire/request.ts';
import { holdEarly, waitingRequestIn } from './early-hold.ts';

const beginning = (fields: object, rest = ',"payload":{"text":"xxxx') =>
  Buffer.from(`${JSON.stringify({ request_id: 'r', ts: 1, ...fields }).slice(0, -1)}${rest}`);

test('our own lines state at the start whether their sender can wait', () => {
  const stdin = { bytes: Buffer.from(`{"text":"${'x'.repeat(1_000)}"}`), total: 1_012 };
  const env = { A: ',"payload":' };
  const line = requestLine({ id: 'r', ts: 1, agent: 'claude', event: 'E', env, stdin });
  expect(waitingRequestIn(line.subarray(0, 500))).toBe('r');
});

test.each([['hold_ms'], ['busy'], ['error', 'busy']])('a sender that accepts %s', (...accepts) => {
  expect(waitingRequestIn(beginning({ accepts }))).toBe('r');
});

test.each<[string, Buffer]>([
  ['does not say that it can', beginning({ accepts: ['error'] })],
  ['says nothing of that', beginning({ agent: 'claude' })],
  ['says it in other words', beginning({ accepts: 'hold_ms' })],
  ['says it in the payload', beginning({}, ',"payload":{"accepts":["hold_ms"],"text":"xx')],
  ['says it after an object with a payload', beginning({ env: { a: '', payload: '' }, accepts: ['busy'] })],
  ['has no id', beginning({ request_id: 1, accepts: ['busy'] })],
  ['has a long id', beginning({ request_id: 'r'.repeat(MAX_REQUEST_ID_CHARS + 1), accepts: ['busy'] })],
  ['sends no JSON', Buffer.from('"accepts":["busy"],"payload":')],
  ['sends no payload', beginning({ accepts: ['busy'] }, ',"text":"')],
])('a sender is not told to wait if it %s', (_, bytes) => {
  expect(waitingRequestIn(bytes)).toBeNull();
});

test('a hold is sent at once and repeated until the work is done', () => {
  const said: unknown[] = [];
  const due: (() => void)[] = [];
  let stopped = 0;
  const still = (speakUp: () => void) => {
    due.push(speakUp);
    return () => {
      stopped += 1;
    };
  };
  const hold = holdEarly(beginning({ accepts: ['busy'] }), still, (reply) => said.push(reply));
  expect(said).toEqual([{ request_id: 'r', hold_ms: expect.any(Number) }]);
  due.shift()?.();
  expect(said).toHaveLength(2);
  expect(hold?.until()).toBeGreaterThan(Date.now());
  hold?.stop();
  expect(stopped).toBe(1);
});
