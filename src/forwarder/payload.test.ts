import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_DEPTH, scanObject } from './json-scan.ts';
import { classify, HEAD_BYTES, payloadProblem } from './payload.ts';

/** The format is explained at the top of vectors.txt. */
function payloadOf(spec: string): Buffer {
  const parts: Buffer[] = [];
  for (const [whole, byte, count, repeated] of spec.matchAll(
    /\\x([0-9a-f]{2})|\\\((\d+) (.*?)\\\)|\\\\|[^\\]/gsu,
  )) {
    if (byte !== undefined) parts.push(Buffer.from(byte, 'hex'));
    else if (count !== undefined && repeated !== undefined) {
      parts.push(Buffer.alloc(Number(count) * Buffer.byteLength(repeated), repeated));
    } else parts.push(Buffer.from(whole === '\\\\' ? '\\' : whole));
  }
  return Buffer.concat(parts);
}

const vectors = readFileSync(new URL('../../native/vectors.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line): [string, string] => {
    const tab = line.indexOf('\t');
    return [line.slice(0, tab), line.slice(tab + 1)];
  });

test('there are vectors for every problem', () => {
  const expected = ['empty', 'not-json', 'not-utf8', 'ok', 'too-deep', 'too-large'];
  expect([...new Set(vectors.map(([problem]) => problem))].sort()).toEqual(expected);
});

test.each(vectors)('%s: %s', (expected, spec) => {
  expect(payloadProblem(payloadOf(spec)) ?? 'ok').toBe(expected);
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

  test('on objects with one character changed, gone or doubled', () => {
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

  test('whatever the depth, up to the limit', () => {
    const nested = (depth: number) => Buffer.from(`{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`);
    expect(scanObject(nested(MAX_DEPTH))).toBe('object');
    expect(scanObject(nested(MAX_DEPTH + 1))).toBe('depth');
  });
});

describe('what is classified', () => {
  test('is parsed when it is one object', () => {
    expect(classify(Buffer.from('{"a":[1]}'))).toEqual({ payload: { a: [1] }, problem: null });
    expect(classify(Buffer.from(' {"a":"é"} ')).payload).toEqual({ a: 'é' });
  });

  test('is the beginning of the text otherwise', () => {
    const long = 'x'.repeat(HEAD_BYTES + 1);
    expect(classify(Buffer.from(long))).toEqual({ payload: long.slice(1), problem: 'not-json' });
    expect(classify(Uint8Array.of(0x61, 0xff))).toEqual({ payload: 'a\ufffd', problem: 'not-utf8' });
    expect(classify(Buffer.from('[1]')).payload).toBe('[1]');
  });

  test('may be a part of a bigger buffer', () => {
    expect(classify(new Uint8Array(Buffer.from('xx{"a":1}xx')).subarray(2, 9)).payload).toEqual({ a: 1 });
  });
});
