import { expect, test } from 'vitest';
import { blockStyle } from './flow-style.ts';

test.each([
  ['a: {b: 1, c: {d: "x, y"}}', 'a:\n  b: 1\n  c:\n    d: "x, y"'],
  ['- {run: echo a}\n- x', '- run: echo a\n- x'],
  ['  - {run: a, env: {B: c}}', '  - run: a\n    env:\n      B: c'],
  ['steps: [{uses: a@v4}, {run: b c}, d]\nx: 1', 'steps:\n  - uses: a@v4\n  - run: b c\n  - d\nx: 1'],
  ['{"a": {"run":"b"},\n # no\n "c": [1, 2]}', '"a":\n  "run": "b"\n"c": [1, 2]'],
  ['a: {run: x {{ y }} z, e: http://b/c}', 'a:\n  run: x {{ y }} z\n  e: http://b/c'],
])('maps in braces become lines: %s', (text, lines) => {
  expect(blockStyle(text)).toBe(lines);
});

test.each([
  'on: [push, pull_request]',
  'run: |\n  { a; }\n  [ -f x ] && y\n- b',
  'a: {{ .Values.x }}',
  'a: {b: 1',
  'run: echo {a,b}',
  'a: {b: 1} c',
])('everything else stays as it is: %j', (text) => {
  expect(blockStyle(text)).toBe(text);
});

test('texts that are made to be tried at each of their signs are read to their end', () => {
  for (const part of [
    'a: {',
    '[',
    '{a: ',
    '[{',
    '"',
    'a: ["',
    '{{',
    '# ',
    '{a: b c\n',
    'a: {b: "',
    '- [',
    '{a,',
  ])
    expect(blockStyle(part.repeat(100_000 / part.length))).toBeTypeOf('string');
});
