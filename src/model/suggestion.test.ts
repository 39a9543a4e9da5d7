import { expect, test } from 'vitest';
import { suggestion } from './suggestion.ts';

test.each([
  ['Bahs', 'did you mean Bash?'],
  ['bash', 'did you mean Bash?'],
  ['Wirte', 'did you mean Write?'],
  ['Raed', 'did you mean Read?'],
  ['Rea', 'did you mean Read?'],
  ['Bash2', 'did you mean Bash?'],
  ['mcp__db__query', null],
  ['', null],
])('%j: %j', (typed, wanted) => {
  expect(suggestion(typed, ['Bash', 'Read', 'Write', 'WebFetch'])).toBe(wanted);
});
