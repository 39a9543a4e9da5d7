import { expect, test } from 'vitest';
import { readReply } from './reply.ts';

const reply = (fields: Record<string, unknown>) =>
  readReply(Buffer.from(JSON.stringify({ request_id: 'r', ...fields })), 'r');

test.each([
  { action: 'passthrough' },
  { action: 'json_output', stdout_json: { a: 1 } },
  { action: 'block_with_stderr', stderr: '' },
])('%j is an answer', (answer) => {
  expect(reply({ ts: 1, payload: answer })).toEqual({ kind: 'answer', answer });
});

test("leaves out what an action doesn't need", () => {
  const payload = { action: 'passthrough', stderr: 'x', stdout_json: {} };
  expect(reply({ payload })).toEqual({ kind: 'answer', answer: { action: 'passthrough' } });
});

test.each([
  {},
  null,
  { action: 'allow' },
  { action: 'json_output' },
  { action: 'json_output', stdout_json: null },
  { action: 'json_output', stdout_json: [] },
  { action: 'json_output', stdout_json: 'text' },
  { action: 'block_with_stderr' },
  { action: 'block_with_stderr', stderr: 1 },
])("%j isn't an answer", (payload) => {
  expect(reply({ payload })).toMatchObject({ kind: 'failed' });
});

test('a hold is at most a day', () => {
  expect(reply({ hold_ms: 1500 })).toEqual({ kind: 'hold', ms: 1500 });
  expect(reply({ hold_ms: 1e300 })).toEqual({ kind: 'hold', ms: 86_400_000 });
  for (const hold_ms of [-1, '9', null]) expect(reply({ hold_ms })).toMatchObject({ kind: 'failed' });
});

test("an error isn't an answer, whatever else the line contains", () => {
  const line = { error: { code: 'X', message: 'full' }, payload: { action: 'passthrough' } };
  expect(reply(line)).toEqual({ kind: 'failed', why: 'the daemon reported an error: full' });
  expect(reply({ error: null })).toMatchObject({ kind: 'failed' });
});

test('lines of others are distinguished from garbage', () => {
  expect(reply({ request_id: 'q' })).toEqual({ kind: 'other' });
  for (const text of [
    '',
    'x',
    '{}',
    '[]',
    'null',
    '{"request_id":7}',
    '{"request_id":"r"',
    '{"request_id":"\xff"}',
  ]) {
    expect(readReply(Buffer.from(text, 'latin1'), 'r'), text).toMatchObject({ kind: 'failed' });
  }
});
