import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { afterTool, beforeTool, call } from '../../../test/support/store/store.ts';
import { learnEnvValues } from '../../redact/env-values.ts';
import { redact } from '../../redact/redact.ts';
import { eventRow } from '../../store/record/event-row.ts';
import { parseRequest } from '../../wire/protocol.ts';
import { openLargeCalls } from './large-calls.ts';

function opened(script = new URL('../../../dist/large-call-worker.cjs', import.meta.url)) {
  const large = openLargeCalls({ script });
  onTestFinished(() => large.stop());
  return large;
}

test('parses a line like the main thread', async () => {
  const large = opened();
  for (const line of [
    JSON.stringify({ request_id: 'a', ts: 1, agent: 'claude', payload: { text: 'ü'.repeat(1000) } }),
    JSON.stringify({
      request_id: 'a',
      ts: 1,
      agent: 'claude',
      payload: JSON.parse('['.repeat(300) + ']'.repeat(300)),
    }),
    '{"request_id":"a"}',
    'no JSON',
  ]) {
    expect(await large.read(Buffer.from(line))).toEqual(parseRequest(line));
  }
});

test('redacts a row like the main thread, including values learned there', async () => {
  const event = afterTool('cat .env');
  if (event.type !== 'after_tool') throw new Error('another event');
  learnEnvValues({ ...event, tool: { ...event.tool, response: 'CART_TOKEN=plain-cart-value-7' } });
  const record = call(beforeTool('echo plain-cart-value-7; curl -u me:hunter2hunter2 https://shop.example'));
  const row = await opened().row(record);
  expect(row).toEqual(eventRow(record, record.event, redact));
  expect(JSON.stringify(row)).toContain('[redacted:env]');
  expect(JSON.stringify(row)).not.toMatch(/plain-cart-value|hunter2/);
});

test("reports what the thread can't do, and the next call gets a new thread", async () => {
  const broken = opened(new URL('file:///nowhere/worker.js'));
  const record = call(beforeTool('ls'));
  await expect(broken.row(record)).rejects.toThrow();
  await expect(broken.read(Buffer.from('{}'))).rejects.toThrow();
  const large = opened();
  const waiting = large.row(record);
  large.stop();
  await expect(waiting).rejects.toThrow('closed');
  expect(await large.row(record)).toEqual(eventRow(record, record.event, redact));
});

test("simultaneous requests get their own answers, even after one that can't be sent", async () => {
  const large = opened();
  const lineOf = (id: string) =>
    Buffer.from(JSON.stringify({ request_id: id, ts: 1, agent: 'a', payload: 1 }));
  const record = call(beforeTool('ls'));
  const unsendable = { ...record, opinions: [() => {}] } as unknown as typeof record;
  const [a, failed, row, b] = await Promise.allSettled([
    large.read(lineOf('a')),
    large.row(unsendable),
    large.row(record),
    large.read(lineOf('b')),
  ]);
  expect(a).toMatchObject({ value: { request: { call: { id: 'a' } } } });
  expect(failed.status).toBe('rejected');
  expect(row).toMatchObject({ value: eventRow(record, record.event, redact) });
  expect(b).toMatchObject({ value: { request: { call: { id: 'b' } } } });
});

test('a line passed to the thread can still be read here', async () => {
  const line = Buffer.from('{"request_id":"a"}');
  await opened().read(line);
  expect(line.toString()).toBe('{"request_id":"a"}');
});

test('reads a line in shared memory without copying it', async () => {
  const text = JSON.stringify({ request_id: 'a', ts: 1, agent: 'claude', payload: { text: 'ü' } });
  const shared = Buffer.from(new SharedArrayBuffer(Buffer.byteLength(text)));
  shared.write(text);
  const large = opened();
  expect(await large.read(shared)).toEqual(parseRequest(text));
});

test.runIf(process.platform === 'linux')(
  'the thread for large calls gives way to the main thread',
  async () => {
    const main = getPriority(process.pid);
    await opened().row(call(beforeTool('ls')));
    const lowered = readdirSync('/proc/self/task').filter((thread) => isAt(Number(thread), main + 5));
    expect(lowered).not.toEqual([]);
    expect(getPriority(process.pid)).toBe(main);
  },
);

function isAt(thread: number, priority: number): boolean {
  try {
    return getPriority(thread) === priority;
  } catch {
    // It ended in the meantime.
    return false;
  }
}
