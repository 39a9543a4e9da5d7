import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  HOSTILE,
  HOSTILE_FORMATS,
  MOST_STEPS,
  stepsPerCharacter,
} from '../../test/support/redact/hostile.ts';
import { BENIGN, PLANTED } from '../../test/support/redact/secrets.ts';
import { afterTool } from '../../test/support/store/store.ts';
import type { HookEvent } from '../model/events.ts';
import { learnEnvValues } from './env-values.ts';
import { redact, redactCounting } from './redact.ts';

describe('redaction takes steps in proportion to the length', () => {
  test.each(HOSTILE)('$name', ({ text }) => {
    for (const length of [20_000, 80_000]) expect(stepsPerCharacter(text(length))).toBeLessThan(MOST_STEPS);
  });

  test('parts of planted secrets in any order, repeated', () => {
    const texts = [...PLANTED.map(({ text }) => text), ...Object.values(BENIGN)];
    const piece = fc
      .constantFrom(...texts)
      .chain((text) =>
        fc
          .tuple(fc.nat(text.length - 1), fc.integer({ min: 1, max: 24 }))
          .map(([from, size]) => text.slice(from, from + size)),
      );
    const sign = fc.constantFrom(
      ' ',
      '"',
      "'",
      '\\',
      '\\"',
      ':',
      '=',
      '\n',
      '://',
      '@',
      '-',
      '.',
      '<',
      '|',
      ',',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(piece, sign), { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        (parts, json) => {
          const repeated = parts.join('').repeat(Math.ceil(20_000 / parts.join('').length));
          expect(stepsPerCharacter(json ? JSON.stringify({ a: repeated }) : repeated)).toBeLessThan(
            MOST_STEPS,
          );
        },
      ),
    );
  });
});

test.each(HOSTILE)('a secret after a flood is still redacted: $name', ({ text }) => {
  const flood = `${text(60_000)}\n`;
  expect(redact(`${flood}DB_PASSWORD=hunter22-x`)).not.toContain('hunter22-x');
  expect(redact(JSON.stringify({ a: `${flood}token: hunter22-x` }))).not.toContain('hunter22-x');
});

test.each(HOSTILE)('a flood in JSON keeps valid JSON and everything next to it: $name', ({ text }) => {
  const safe: unknown = JSON.parse(redact(JSON.stringify({ a: text(40_000), b: 'next to it' })));
  expect(safe).toHaveProperty('b', 'next to it');
});

const FLOODED_JSON = HOSTILE_FORMATS.map(({ name, text }) => ({ name, json: text(20_000) })).filter(
  ({ json }) => /^[[{]/.test(json) && isJson(json),
);

test.each(FLOODED_JSON)('JSON with one kind of entry stays JSON: $name', ({ json }) => {
  expect(isJson(redact(json))).toBe(true);
});

test('numbers in JSON that begin like ports are not a flood', () => {
  const text = JSON.stringify(Array.from({ length: 20_000 }, () => ({ p: 54 })));
  expect(redact(text) === text).toBe(true);
});

test('a flood hides its own lines, not later ones', () => {
  const safe = redact(`${'token password '.repeat(4_000)}\nnpm test\nand more`);
  expect(safe).toMatch(/\[redacted\]\nnpm test\nand more$/);
});

test('a flood in a JSON list hides only entries of that list', () => {
  const list = Array.from({ length: 4_000 }, () => 'docker login -p abc1 ');
  const safe: unknown = JSON.parse(
    redact(JSON.stringify([[...list], { a: 'docker login -p abc1', b: 'next' }])),
  );
  expect(safe).toMatchObject([expect.any(Array), { b: 'next' }]);
  expect(JSON.stringify(safe)).not.toContain('abc1');
});

test.each([
  ['keys and values', { Key: 'Name', Value: 'web' }],
  ['words of a program', { type: 'token', key: 'semi', text: 'then the token' }],
])('a long list of %s is not a flood', (_, entry) => {
  const text = JSON.stringify(Array.from({ length: 20_000 }, () => entry));
  expect(redact(text) === text).toBe(true);
});

test.each([
  ['words that end as names do', 'record, on and off: keyboards '],
  ['another language', 'Он пришёл и взял этот билет, а потом ушёл в день ожидания. '],
  ['a language with accents', 'O padrão não é válido: só até três botões por seção, então não há opção. '],
  ['a minified program', 'e.a=r.b(s.c,t.d),b.e(M.f,N.g);s.h||r.i(O.j,b.k)&&s.l;'],
  ['numbers', '[0.001,0.002,1/2,00:12:35,10:54:32] '],
])('a long text of %s is not a flood', (_, piece) => {
  const text = piece.repeat(20_000);
  expect(redact(text) === text).toBe(true);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('counts more steps for a longer text', () => {
  const steps = [10_000, 20_000].map((length) => redactCounting('word '.repeat(length)).steps);
  expect(steps[1]).toBeGreaterThan(1.9 * (steps[0] ?? 0));
});

test('finds similar values of a .env in one pass', () => {
  const values = Array.from({ length: 900 }, (_, at) => `SECRET_${at}=${'ab'.repeat(24)}${at}x`);
  // A line whose value could begin anywhere.
  const blanks = `A=${' '.repeat(8_000)}x`;
  learnEnvValues(readOfEnv([...values, blanks].join('\n')));
  expect(stepsPerCharacter('ab'.repeat(20_000))).toBeLessThan(MOST_STEPS);
  expect(redact(`see ${'ab'.repeat(24)}17x here`)).toBe('see [redacted:env] here');
});

test('keeps text that was redacted before', () => {
  for (const { text } of PLANTED) {
    for (const whole of [text, JSON.stringify({ stdout: `a\n${text}\nb` })]) {
      const once = redact(whole);
      expect(redact(once)).toBe(once);
    }
  }
  for (const { text } of HOSTILE) {
    const once = redact(text(2_000));
    expect(redact(once)).toBe(once);
  }
});

function readOfEnv(content: string): HookEvent {
  const event = afterTool('cat .env');
  if (event.type !== 'after_tool') throw new Error('a finished call is expected');
  return { ...event, tool: { ...event.tool, response: content } };
}
