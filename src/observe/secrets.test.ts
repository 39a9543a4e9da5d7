import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redact } from './redact.ts';
import { BENIGN, PLANTED } from './testing-secrets.ts';

test('there are more than forty kinds', () => {
  expect(new Set(PLANTED.map(({ kind }) => kind)).size).toBeGreaterThan(40);
});

test.each(PLANTED)('$kind is not kept', ({ secret, text }) => {
  const around = [
    text,
    `first line\n${text}\nlast line`,
    JSON.stringify({ tool_input: { command: `deploy --now "${text}"` } }),
    JSON.stringify({ stdout: `first line\n${text}\nlast line` }),
    JSON.stringify({ nested: JSON.stringify({ text: `a\n${text}` }) }),
  ];
  for (const whole of around) {
    expect(redact(whole)).not.toContain(secret);
    if (whole.startsWith('{"')) expect(() => JSON.parse(redact(whole))).not.toThrow();
  }
});

test.each(Object.entries(BENIGN))('%s is kept as it is', (_, text) => {
  for (const whole of [text, `see\n${text}\nhere`, JSON.stringify({ stdout: `see\n${text}\nhere` })]) {
    expect(redact(whole)).toBe(whole);
  }
});

test('JSON stays JSON, whatever stands in it', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...PLANTED.map(({ text }) => text)),
    fc.constantFrom('<private>', '</private>', '\\', '"', '\n', 'password=', 'Cookie: '),
  );
  fc.assert(
    fc.property(fc.array(fc.array(piece), { maxLength: 4 }), (parts) => {
      const value = parts.map((list) => ({ text: list.join('') }));
      expect(JSON.parse(redact(JSON.stringify(value)))).toHaveLength(value.length);
    }),
  );
});

test('what is marked as private goes no further than its own text', () => {
  expect(redact('a <private>b "c" d</private> e')).toBe('a [private] e');
  expect(redact(JSON.stringify({ a: 'x <private>never closed', b: 'kept' }))).toBe(
    '{"a":"x [private]","b":"kept"}',
  );
});
