import { expect, test } from 'vitest';
import { EVENT_GROUPS, EVENT_TYPES, typesNamed } from './events.ts';

test('a name stands for a type or a group only', () => {
  expect(typesNamed('stop')).toEqual(['stop']);
  expect(typesNamed('turn_end')).toEqual(['stop', 'after_agent']);
  for (const name of ['', 'Stop', 'toString', '__proto__']) expect(typesNamed(name)).toBeNull();
});

test('no group has the name of a type', () => {
  expect(Object.keys(EVENT_GROUPS).filter((name) => EVENT_TYPES.some((type) => type === name))).toEqual([]);
});
