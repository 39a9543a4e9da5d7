import { describe, expect, test } from 'vitest';
import {
  HOSTILE_FORMATS,
  HOSTILE_FORMS,
  HOSTILE_PREFIXES,
  MOST_STEPS,
  stepsPerCharacter,
} from '../../test/support/redact/hostile.ts';

describe('redaction takes steps in proportion to the length', () => {
  test('every prefix of a secret, repeated', () => {
    const slow = HOSTILE_PREFIXES.filter(({ text }) => stepsPerCharacter(text(20_000)) > MOST_STEPS);
    expect(slow.map(({ name }) => name)).toEqual([]);
  });

  test('every hostile text in lines and in JSON', () => {
    const slow = HOSTILE_FORMATS.filter(({ text }) => stepsPerCharacter(text(20_000)) > MOST_STEPS);
    expect(slow.map(({ name }) => name)).toEqual([]);
  });

  test('every form, almost a secret and endless', () => {
    const slow = HOSTILE_FORMS.filter(({ text }) => stepsPerCharacter(text(8_000)) > MOST_STEPS);
    expect(slow.map(({ name }) => name)).toEqual([]);
  });
});
