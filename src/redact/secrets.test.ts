import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BENIGN, PLANTED } from '../../test/support/redact/secrets.ts';
import { redact } from './redact.ts';

test('there are more than three hundred kinds', () => {
  expect(new Set(PLANTED.map(({ kind }) => kind)).size).toBeGreaterThan(300);
});

/** So much of a secret in one piece is as good as all of it. */
const PIECE = 8;

function piecesOf(secret: string): string[] {
  if (secret.length <= PIECE) return [secret];
  return Array.from({ length: secret.length - PIECE + 1 }, (_, at) => secret.slice(at, at + PIECE));
}

test.each(PLANTED)('redacts $kind', ({ secret, text }) => {
  const around = [
    text,
    `first line\n${text}\nlast line`,
    JSON.stringify({ tool_input: { command: `deploy --now "${text}"` } }),
    JSON.stringify({ stdout: `first line\n${text}\nlast line` }),
    JSON.stringify({ nested: JSON.stringify({ text: `a\n${text}` }) }),
    // As a call has it: the command once in its input, and once by itself.
    JSON.stringify({ input: { command: text }, useId: 'u1', command: text }),
  ];
  for (const whole of around) {
    const safe = redact(whole);
    // The kind may be called by the same word as the beginning of the secret.
    const kept = safe.replaceAll(/\[redacted[^\]]*\]/g, '[]');
    expect(piecesOf(secret).filter((piece) => kept.includes(piece))).toEqual([]);
    if (whole.startsWith('{"')) expect(() => JSON.parse(safe)).not.toThrow();
  }
});

test.each(Object.entries(BENIGN))('keeps %s unchanged', (_, text) => {
  for (const whole of [text, `see\n${text}\nhere`, JSON.stringify({ stdout: `see\n${text}\nhere` })]) {
    expect(redact(whole)).toBe(whole);
  }
});

test('JSON stays valid with any content', () => {
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
