import { describe, expect, test } from 'vitest';
import { MAX_DEPTH } from './limits.ts';
import { payloadProblem } from './payload.ts';
import { parseRequest } from './protocol.ts';
import { newRequestId, requestLine } from './request.ts';

const line = (fields: Record<string, unknown>) =>
  JSON.stringify({ request_id: 'r', ts: 5, agent: 'a', env: {}, payload: { x: 1 }, ...fields });

describe('a request', () => {
  test('has defaults for optional fields', () => {
    expect(parseRequest(line({ env: undefined }))).toEqual({
      ok: true,
      request: {
        call: { id: 'r', receivedAt: 5, agent: 'a', event: null, env: {}, payload: { x: 1 } },
        problem: null,
        bytes: null,
        accepts: { hold: true, busy: false, error: true, confirm: false },
      },
    });
  });

  test.each([
    [{ event: 'E' }, 'E'],
    [{ hook_event_name: 'H', session_id: 's' }, 'H'],
    [{ event: 'E', hook_event_name: 'H' }, 'E'],
  ])('with %j is about the event %s', (fields, event) => {
    expect(parseRequest(line(fields))).toMatchObject({ ok: true, request: { call: { event } } });
  });

  test('without an agent is recognized by its event, and its sender understands only answers', () => {
    const sent = { agent: undefined, hook_event_name: 'H' };
    const silent = { hold: false, error: false };
    expect(parseRequest(line(sent))).toMatchObject({
      request: { call: { agent: null, event: 'H' }, accepts: silent },
    });
    expect(parseRequest(line({ ...sent, accepts: ['hold_ms'] }))).toMatchObject({
      request: { accepts: { hold: true, busy: false, error: false } },
    });
    expect(parseRequest(line({ accepts: [] }))).toMatchObject({ request: { accepts: silent } });
  });

  test('may have unknown keys', () => {
    expect(parseRequest(line({ later: true }))).toMatchObject({ ok: true });
  });

  test('has no variables with names that every object has', () => {
    const text = line({ env: { A: 'a' } }).replace('"A":"a"', '"A":"a","__proto__":"b","constructor":"c"');
    const parsed = parseRequest(text);
    expect(parsed.ok && Object.entries(parsed.request.call.env)).toEqual([['A', 'a']]);
  });

  test('from the forwarder is parsed correctly', () => {
    const stdin = { bytes: Buffer.from('half {'), total: 99 };
    const written = requestLine({ id: 'i', ts: 7, agent: 'a', event: null, env: { A: '"' }, stdin });
    expect(written.at(-1)).toBe(10);
    expect(parseRequest(written.toString())).toEqual({
      ok: true,
      request: {
        call: { id: 'i', receivedAt: 7, agent: 'a', event: null, env: { A: '"' }, payload: 'half {' },
        problem: 'not-json',
        bytes: 99,
        accepts: { hold: true, busy: false, error: true, confirm: true },
      },
    });
  });
});

describe('a request whose payload is too deep', () => {
  const deep = (depth: number) =>
    line({ event: 'E', env: { A: '1' }, payload: { tool: 't', input: { x: 0 } } }).replace(
      '0',
      '['.repeat(depth) + ']'.repeat(depth),
    );

  test('is read as far as possible', () => {
    expect(parseRequest(deep(100_000))).toEqual({
      ok: true,
      request: {
        call: {
          id: 'r',
          receivedAt: 5,
          agent: 'a',
          event: 'E',
          env: { A: '1' },
          payload: { tool: 't', input: { x: [] } },
        },
        problem: 'too-deep',
        bytes: deep(100_000).length,
        accepts: { hold: true, busy: false, error: true, confirm: false },
      },
    });
  });

  test("is one that a forwarder wouldn't send either", () => {
    const problem = (depth: number) => parseRequest(deep(depth));
    expect(problem(MAX_DEPTH - 2)).toMatchObject({ request: { problem: null } });
    expect(problem(MAX_DEPTH - 1)).toMatchObject({ request: { problem: 'too-deep' } });
    const payload = (depth: number) => `{"input":{"x":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
    expect(payloadProblem(Buffer.from(payload(MAX_DEPTH - 2)))).toBe(null);
    expect(payloadProblem(Buffer.from(payload(MAX_DEPTH - 1)))).toBe('too-deep');
  });
});

describe("a line that isn't a request is answered under its ID, if it has one", () => {
  test.each([
    ['{', null, 'not JSON'],
    ['[]', null, 'request_id'],
    ['null', null, 'line'],
    [line({ request_id: 7 }), null, 'request_id'],
    [line({ request_id: '' }), '', 'request_id'],
    [line({ request_id: 'r'.repeat(201) }), 'r'.repeat(201), 'request_id'],
    [line({ accepts: [1] }), 'r', 'accepts'],
    [line({ bytes: '1' }), 'r', 'bytes'],
    [line({ ts: 'now' }), 'r', 'ts'],
    [line({ agent: undefined }), 'r', 'agent'],
    [line({ event: 1 }), 'r', 'event'],
    [line({ env: { A: 1 } }), 'r', 'env.A'],
    [line({ payload: undefined }), 'r', 'payload'],
  ])('%s', (text, requestId, message) => {
    expect(parseRequest(text)).toEqual({ ok: false, requestId, message: expect.stringContaining(message) });
  });
});

test('IDs sort by time and differ', () => {
  expect(newRequestId(7)).toMatch(/^0000000000007-[0-9a-f]{16}$/);
  expect(newRequestId(7)).not.toBe(newRequestId(7));
  expect(newRequestId(999) < newRequestId(1_700_000_000_000)).toBe(true);
});
