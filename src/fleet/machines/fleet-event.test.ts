import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { craftedRecord } from '../../../test/support/fleet/records.ts';
import { readFleetEvent } from './fleet-event.ts';

const machine = '0123456789abcdef0123456789abcdef';

function read(options: Partial<Parameters<typeof craftedRecord>[0]> = {}, subject?: string) {
  const crafted = craftedRecord({ machine, ...options });
  return readFleetEvent({ seq: 7, subject: subject ?? crafted.subject, data: Buffer.from(crafted.body) });
}

test('shows a record with its position, machine and decision', () => {
  expect(read({ command: 'git push' })?.event).toMatchObject({
    place: 7,
    machine,
    agent: 'claude',
    type: 'before_tool',
    name: 'Bash',
    subject: 'git push',
    decision: 'none',
    outcome: null,
    minor: false,
  });
});

test('texts of another machine are shortened and contain no control characters', () => {
  const evil = '\x1b]0;owned\x07\r\n\u202e<img src=x onerror=alert(1)>';
  const event = read({
    command: `${evil}${'a'.repeat(100_000)}`,
    columns: { session_id: evil.repeat(50), source: evil, tool_name: 'T'.repeat(50_000), cwd: evil },
  })?.event;
  const texts = Object.values(event ?? {}).filter((value) => typeof value === 'string');
  expect(texts.length).toBeGreaterThan(8);
  for (const text of texts) {
    expect(text.length).toBeLessThanOrEqual(160);
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
  }
  const odd = read({ columns: { timestamp: 1e300, latency_ms: -5 } })?.event;
  expect(Number.isFinite(new Date(odd?.at ?? Number.NaN).getTime())).toBe(true);
});

test("leaves out records that their machine didn't write", () => {
  const { subject } = craftedRecord({ machine });
  const data = (text: string) => readFleetEvent({ seq: 1, subject, data: Buffer.from(text) });
  expect(data('{')).toBeNull();
  expect(data('[1]')).toBeNull();
  // Its hash belongs to something else.
  expect(read({ around: { hash: 'f'.repeat(64) } })).toBeNull();
  // Its subject names another agent or kind, so a reader of that subject would get a wrong event.
  expect(read({}, subject.replace('claude', 'codex'))).toBeNull();
  expect(read({}, subject.replace('before_tool', 'after_tool'))).toBeNull();
  expect(read({ columns: { type: 'no_such_type' } })).toBeNull();
  expect(read({ columns: { timestamp: 'yesterday' } })).toBeNull();
  expect(read({}, subject.replace('.event.', '.chain.'))).toBeNull();
});

test("doesn't read a small message that expands to a large one", () => {
  const { subject, body } = craftedRecord({ machine });
  const headers = { get: (name: string) => (name === 'Hookline-Encoding' ? 'gzip' : '') };
  const packed = (text: string) =>
    readFleetEvent({ seq: 1, subject, data: gzipSync(text), headers })?.event.name;
  expect(packed(body)).toBe('Bash');
  expect(packed(`${body}${' '.repeat(9 << 20)}`)).toBeUndefined();
});

test('shows a record without the columns that were too large to send', () => {
  const leftOut = ['native', 'event', 'opinions', 'response', 'answer'];
  const without = Object.fromEntries(leftOut.map((column) => [column, '']));
  const { subject, body } = craftedRecord({ machine, columns: without, around: { leftOut } });
  const message = JSON.parse(body);
  for (const column of leftOut) message.record[column] = null;
  const event = readFleetEvent({ seq: 1, subject, data: Buffer.from(JSON.stringify(message)) })?.event;
  expect(event).toMatchObject({ name: 'Bash', subject: '', decision: 'none' });
});
