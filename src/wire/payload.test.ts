import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesOf, sharedVectors } from '../../test/support/wire.ts';
import { isTooDeep, scanObject } from './json-scan.ts';
import { HEAD_BYTES, MAX_DEPTH } from './limits.ts';
import { classify, payloadProblem, plainObject } from './payload.ts';

const vectors = sharedVectors('vectors');

test('there are vectors for every problem', () => {
  const expected = ['empty', 'not-json', 'not-utf8', 'ok', 'too-deep', 'too-large'];
  expect([...new Set(vectors.map(([problem]) => problem))].sort()).toEqual(expected);
});

test.each(vectors)('%s: %s', (expected, spec) => {
  expect(payloadProblem(bytesOf(spec)) ?? 'ok').toBe(expected);
});

describe('the scanner agrees with JSON.parse', () => {
  const isObject = (text: string): boolean => {
    try {
      const value: unknown = JSON.parse(text);
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    } catch {
      return false;
    }
  };

  test('on objects', () => {
    void fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(4), (value, indent) => {
        expect(scanObject(Buffer.from(JSON.stringify(value, null, indent)))).toBe('object');
      }),
    );
  });

  test('on objects with one character changed, removed or doubled', () => {
    const change = fc.record({
      value: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1 }),
      at: fc.nat(),
      text: fc.oneof(
        fc.constant(''),
        fc.constantFrom(...'{}[]",:\\ \n-+.eE0129tfnu/'),
        fc.string({ maxLength: 2 }),
      ),
    });
    void fc.assert(
      fc.property(change, ({ value, at, text }) => {
        const json = JSON.stringify(value);
        const where = at % json.length;
        const changed = Buffer.from(json.slice(0, where) + text + json.slice(where + 1));
        expect(scanObject(changed)).toBe(isObject(changed.toString()) ? 'object' : 'syntax');
      }),
      { numRuns: 2000 },
    );
  });

  test('at any depth, up to the limit', () => {
    const nested = (depth: number) => Buffer.from(`{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`);
    expect(scanObject(nested(MAX_DEPTH))).toBe('object');
    expect(scanObject(nested(MAX_DEPTH + 1))).toBe('depth');
    expect(isTooDeep(nested(MAX_DEPTH).toString())).toBe(false);
    expect(isTooDeep(nested(MAX_DEPTH + 1).toString())).toBe(true);
  });

  test("brackets in texts add no depth, and closed ones don't count", () => {
    expect(isTooDeep(JSON.stringify({ a: '['.repeat(1000), b: '\\"['.repeat(1000) }))).toBe(false);
    expect(isTooDeep(JSON.stringify(Array.from({ length: 1000 }, () => [{}])))).toBe(false);
  });
});

describe('the readable part', () => {
  test('is parsed if it is one object', () => {
    expect(classify(Buffer.from('{"a":[1]}'))).toEqual({ payload: { a: [1] }, problem: null });
    expect(classify(Buffer.from(' {"a":"é"} ')).payload).toEqual({ a: 'é' });
  });

  test('is an outline of an unreadable object', () => {
    const deep = `{"a":{"b":${'['.repeat(MAX_DEPTH)}${']'.repeat(MAX_DEPTH)}},"c":1}`;
    expect(classify(Buffer.from(deep))).toEqual({ payload: { a: { b: [] }, c: 1 }, problem: 'too-deep' });
    expect(classify(Buffer.from('{"a":1,"b'))).toEqual({ payload: { a: 1 }, problem: 'not-json' });
  });

  test('is otherwise the beginning of the text', () => {
    const long = 'x'.repeat(HEAD_BYTES + 1);
    expect(classify(Buffer.from(long))).toEqual({ payload: long.slice(1), problem: 'not-json' });
    expect(classify(Uint8Array.of(0x61, 0xff))).toEqual({ payload: 'a\ufffd', problem: 'not-utf8' });
    expect(classify(Buffer.from('[1]')).payload).toBe('[1]');
  });

  test('may be part of a bigger buffer', () => {
    expect(classify(new Uint8Array(Buffer.from('xx{"a":1}xx')).subarray(2, 9)).payload).toEqual({ a: 1 });
  });
});

test('an object that passes the quick check has no problem and is read completely', () => {
  const plain = vectors.filter(([, spec]) => plainObject(Buffer.from(bytesOf(spec))) !== null);
  expect(new Set(plain.map(([problem]) => problem))).toEqual(new Set(['ok']));
  expect(plainObject(Buffer.from('{"a":1,"a":[2]}'))).toEqual({ a: [2] });
  for (const text of ['', 'null', '[]', '"{}"', '{"a":1', '\ufeff{}', `{"a":${'['.repeat(MAX_DEPTH)}`])
    expect(plainObject(Buffer.from(text))).toBeNull();
});
