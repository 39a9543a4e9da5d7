import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesOf, sharedVectors } from '../../test/support/wire.ts';
import { OUTLINE_LEVEL_BYTES, OUTLINE_TEXT_BYTES } from './limits.ts';
import { outlineOf } from './outline.ts';

test.each(sharedVectors('outlines'))('%s: %s', (expected, spec) => {
  const found = outlineOf(bytesOf(spec));
  const wanted = bytesOf(expected).toString();
  expect(JSON.stringify(found)).toBe(wanted === 'nothing' ? 'null' : JSON.stringify(JSON.parse(wanted)));
});

describe('of a readable object', () => {
  const scalar = fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), fc.constant(null));
  const flat = fc.dictionary(fc.string(), scalar, { minKeys: 1 });

  test('keeps scalars unchanged', () => {
    void fc.assert(
      fc.property(flat, flat, fc.nat(2), (outer, inner, indent) => {
        const value = { ...outer, inner };
        expect(outlineOf(Buffer.from(JSON.stringify(value, null, indent)))).toEqual(value);
      }),
    );
  });

  test('omits values but changes none', () => {
    void fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.nat(), (value, at) => {
        const json = Buffer.from(JSON.stringify(value));
        // The value in the text, which has no minus zero.
        const written: Record<string, unknown> = JSON.parse(json.toString());
        const found = outlineOf(json.subarray(0, at % (json.length + 1))) ?? {};
        for (const [name, part] of Object.entries(found)) {
          if (typeof part !== 'object' || part === null) expect(part).toEqual(written[name]);
        }
      }),
    );
  });
});

test("nested values can't displace the fields around them", () => {
  const crowd = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`k${at}`, 'x'.repeat(1000)]));
  const found = outlineOf(Buffer.from(JSON.stringify({ crowd, more: crowd, last: 'x'.repeat(20_000) })));
  expect(found).toMatchObject({ last: 'x'.repeat(OUTLINE_TEXT_BYTES) });
  expect(JSON.stringify(found).length).toBeLessThan(2 * OUTLINE_LEVEL_BYTES);
});

test('a deeper outline has one more level', () => {
  const text = Buffer.from('{"a":{"b":{"c":1,"d":{"e":2}}}}');
  expect(outlineOf(text, 3)).toEqual({ a: { b: { c: 1, d: {} } } });
});
