import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellQuoted, shellWord } from './shell-words.ts';

test.each(['', 'plain/path.js', "it's", '$(id) `id` "x" \\', 'two\nlines', '~/x *', 'a=b;c'])(
  'a shell reads %j as one word',
  (text) => {
    for (const word of [shellQuoted(text), shellWord(text)])
      expect(execFileSync('sh', ['-c', `printf '[%s]' ${word}`], { encoding: 'utf8' })).toBe(`[${text}]`);
  },
);

test('adds no unnecessary quotes', () => {
  expect(shellWord('/usr/bin/node')).toBe('/usr/bin/node');
  expect(shellQuoted('/usr/bin/node')).toBe("'/usr/bin/node'");
});
