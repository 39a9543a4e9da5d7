import { expect, test } from 'vitest';
import { sedActions } from './sed-script.ts';

test.each([
  ['w x', 'write x'],
  ['wx', 'write x'],
  ['1,3w x;y', 'write x;y'],
  ['$!w x', 'write x'],
  ['/a/,/b/{\ns/c/d/gw x\n}', 'write x'],
  ['s#a#b#w /tmp/x', 'write /tmp/x'],
  ['s/[/]/b/;w x', 'write x'],
  ['\\,a,w x', 'write x'],
  ['/[^]/w]/w x', 'write x'],
  ['r x', 'read x'],
  ['1e id', 'run id'],
  ['e', 'run '],
  ['s/a/id/e', 'run id'],
  ['a some text\nw x', 'write x'],
  ['a\\\nmore\\\ntext\nw x', 'write x'],
  ['y/abc/wre/;w x', 'write x'],
  ['bend;:end\nw x', 'write x'],
])('%j does %s', (script, wanted) => {
  expect(sedActions(script).map(({ does, text }) => `${does} ${text}`)).toEqual([wanted]);
});

test.each([
  's/we/ew/g',
  's/a/b w x/',
  '/write/p',
  '/w x/d',
  'y/ew/we/',
  'a w x',
  's|/w x|e|',
  '1!G;h;$!d',
  ':a;N;$!ba;s/\\n/ w /g',
  '# w x',
  's/a\\/w x/b/',
  '',
])('%j only prints', (script) => {
  expect(sedActions(script)).toEqual([]);
});
