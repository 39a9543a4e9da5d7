import fc from 'fast-check';
import { expect, test } from 'vitest';
import { askedCommand, quotedWords } from './command-line.ts';

test.each([
  ["/bin/bash -lc 'echo one'", 'echo one'],
  ['/bin/bash -lc "echo it\'s; false"', "echo it's; false"],
  ['/bin/bash -lc ls', 'ls'],
  ["zsh -c 'a \\ b'", 'a \\ b'],
  ['/bin/sh -lc "echo \\"\\$HOME\\""', 'echo "$HOME"'],
  // Not what the client puts around a command: left as it is shown.
  ['git status', 'git status'],
  ["bash -lc 'a' b", "bash -lc 'a' b"],
  ["bash -x 'a'", "bash -x 'a'"],
  ["/bin/bash -lc 'unfinished", "/bin/bash -lc 'unfinished"],
])('%s asks for %s', (shown, asked) => {
  expect(askedCommand(shown)).toBe(asked);
});

test('quoted words are restored', () => {
  const quoted = (word: string) => `'${word.replaceAll("'", `'"'"'`)}'`;
  fc.assert(
    fc.property(fc.array(fc.string()), (words) => {
      expect(quotedWords(words.map(quoted).join(' '))).toEqual(words);
    }),
  );
});
