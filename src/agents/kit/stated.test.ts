import { expect, test } from 'vitest';
import { statedCount, statedExitCode } from './stated.ts';

test.each([
  ['Exit code 1', 1],
  ['Exit code: 0\nall good', 0],
  ['Error: Exit code 127\nnot found', 127],
  ['some output\nProcess exited with code 2', 2],
  ['some output\n[exit status: 3]\n', 3],
  ['Command failed with exit code 4', 4],
  ['exit code -1', -1],
  ['fine', null],
  ['', null],
  ['The docs say exit code 3 means that nothing was found.', null],
  ['a\nexit code 3\nb', null],
  [`${'x'.repeat(100)} exit code 3`, null],
])('%j states exit code %s', (text, code) => {
  expect(statedExitCode(text)).toBe(code);
});

test.each([
  ['a.ts\nb.ts', 2],
  ['a.ts\nb.ts\n', 2],
  ['', 0],
  ['No files found', 0],
  ['No matches found', 0],
  ['Found 12 files\na.ts', 12],
])('%j lists %i', (text, count) => {
  expect(statedCount(text)).toBe(count);
});
