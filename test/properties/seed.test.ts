import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { propertySeed } from './seed.ts';

function read(wanted: string | undefined) {
  const printed: string[] = [];
  const seed = propertySeed(wanted, (line) => printed.push(line));
  return { seed, printed: printed.join('\n') };
}

describe('the seed of the property tests', () => {
  test('is in every test file', () => {
    expect(fc.readConfigureGlobal()?.seed).toBe(inject('propertySeed'));
  });

  test('is the same by default', () => {
    expect(read(undefined)).toEqual({ ...read(''), printed: '' });
  });

  test('prints a given number', () => {
    expect(read('-347417390')).toEqual({ seed: -347417390, printed: expect.stringContaining('=-347417390') });
  });

  test('prints a random one, and the same line repeats it', () => {
    const { seed, printed } = read('random');
    const [, again] = printed.split('PROPERTY_SEED=');
    expect(read(again).seed).toBe(seed);
  });

  test.each(['now', '1.5', '0x'])('%s is refused', (wanted) => {
    expect(() => read(wanted)).toThrow('PROPERTY_SEED is a whole number or "random"');
  });
});
