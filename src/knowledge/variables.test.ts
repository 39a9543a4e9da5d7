import { expect, test } from 'vitest';
import { parseVariables } from './variables.ts';

test('a group gives the meaning of setting one of its variables', () => {
  expect(parseVariables('x-variables: { does: run loaded-code, names: A_B *_C }')).toEqual({
    'x-variables': { does: 'run loaded-code', names: ['A_B', '*_C'] },
  });
});

test.each([
  ['an unknown act', 'x-variables: { does: load code, names: A }', 'x-variables.does'],
  ['a group without variables', 'x-variables: { does: run loaded-code, names: [] }', 'without variables'],
  ['a variable that is there twice', 'x-variables: { does: run loaded-code, names: A A }', 'twice'],
  ['what is not a variable', 'x-variables: { does: run loaded-code, names: A-B }', 'the name of a variable'],
  ['a group that no rule could tell from a place', 'x: { does: run loaded-code, names: A }', 'is called'],
])('%s is refused', (_, yaml, message) => {
  expect(() => parseVariables(yaml)).toThrow(message);
});
