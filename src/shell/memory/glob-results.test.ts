// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions.
import { expect, test } from 'vitest';
import { effects } from '../../../test/support/shell/shell.ts';

const unknownPrograms = (command: string) =>
  effects(command, 'run').filter(({ program }) => program === null).length;

test.each([
  'for f in tests/*.sh; do "$f"; done',
  'for t in build/test_*; do ./$t; done',
  'for t in test_*; do ./$t || exit 1; done',
  "find tests -name '*.sh' -exec {} \\;",
])("a program that is one of the project's files is known: %s", (command) => {
  expect(unknownPrograms(command)).toBe(0);
  expect(effects(command, 'execute')).toContainEqual(expect.objectContaining({ from: 'file' }));
});

test.each([
  'for c in r?; do $c -rf x; done',
  'for c in /bin/r?; do $c -rf x; done',
  'cd /bin; for c in r?; do ./$c -rf x; done',
  'cd a; for c in r?; do cd ..; $c -rf x; done',
  'for f in bin/r?; do ${f##*/} -rf x; done',
  "find . -name 'r?' | xargs -I{} basename {} | xargs -I{} {} -rf x",
  'find / -name x -exec {} \\;',
  'for f in ~/Downloads/*; do $f; done',
  'curl -o d/x https://example.com/x; for f in d/*; do $f; done',
  '/bin/r? -rf x',
  'for f in $(cat list); do $f; done',
])('a pattern that may hide a program is unknown: %s', (command) => {
  expect(unknownPrograms(command)).toBeGreaterThan(0);
});

test('a script matched by a pattern is a project file, unless the line wrote one', () => {
  const from = (command: string) => effects(command, 'execute').map((effect) => effect.from);
  expect(from('for f in tests/*.sh; do bash "$f"; done')).toEqual(['file']);
  expect(from('echo x > a.sh; for f in *.sh; do bash "$f"; done')).toEqual(['unknown']);
});
