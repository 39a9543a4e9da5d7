import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { propertySeed } from './seed.ts';

function read(wanted: string | undefined) {
  const printed: string[] = [];
  const seed = propertySeed(wanted, (line) => printed.push(line));
  return { seed, printed: printed.join('\n') };
}

describe('the seed of the property tests', () => {
  test('every test file has it', () => {
    expect(fc.readConfigureGlobal()?.seed).toBe(inject('propertySeed'));
  });

  test('is the same one by default', () => {
    expect(read(undefined)).toEqual({ ...read(''), printed: '' });
  });

  test('a number is taken as it is, and printed', () => {
    expect(read('-347417390')).toEqual({ seed: -347417390, printed: expect.stringContaining('=-347417390') });
  });

  test('a random one is printed, and the same line gives it again', () => {
    const { seed, printed } = read('random');
    const [, again] = printed.split('PROPERTY_SEED=');
    expect(read(again).seed).toBe(seed);
  });

  test.each(['now', '1.5', '0x'])('%s is refused', (wanted) => {
    expect(() => read(wanted)).toThrow('PROPERTY_SEED is a whole number or "random"');
  });
});
