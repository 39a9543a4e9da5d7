import { expect, test } from 'vitest';
import { effects, look, paths } from '../../../test/support/shell/shell.ts';

const BELOW = '/home/dev/shop/**';

test.each([
  ["rm -f $(find . -name '*.x')", [`${BELOW}/*.x`]],
  ["rm -f `find . -name '*.x' | sort`", [`${BELOW}/*.x`]],
  ["find . -name '*.x' | parallel rm -f", [`${BELOW}/*.x`]],
  ["find . | grep '\\.x1$' | xargs rm -f", [`${BELOW}/*.x1`]],
  ["find . | grep -E '(/made$|\\.x1$)' | xargs rm -f", [`${BELOW}/{made,*.x1}`]],
  ["find . -name '*.py[co]' -delete", [`${BELOW}/{*.pyc,*.pyo}`]],
])('%s deletes what the search prints', (command, deleted) => {
  expect(paths(command, 'delete')).toEqual(deleted);
});

test.each([
  ['rm -f $(find . -name x; cat list)', ['<$(find . -name x; cat list)>']],
  ["rm -f $(find . -name x -printf '/%f')", ["<$(find . -name x -printf '/%f')>"]],
  ['rm -f $(ls)', ['<$(ls)>']],
])('%s may delete anything', (command, deleted) => {
  expect(paths(command, 'delete')).toEqual(deleted);
});

test.each([
  "find . | grep -v '\\.x1$' | xargs rm -f",
  'find . | grep made | xargs rm -f',
  "find . | grep -e '\\.x1$' | xargs rm -f",
  "find . | grep '.*$' | xargs rm -f",
  "find . | grep -F '.x1$' | xargs rm -f",
])('%s may delete all that the search prints', (command) => {
  expect(paths(command, 'delete')).toContain(BELOW);
});

test.each([
  ['find . -type f -exec rm -rf {} +', false],
  ['find . -type f -print0 | xargs -0 rm -r -f', false],
  ['find . -type l -exec rm --recursive {} +', false],
  ['find . -exec rm -rf {} +', true],
  ['find . -type f,d -exec rm -rf {} +', true],
  ['find . -type f -o -name x -exec rm -rf {} +', true],
  ['find . -type f -exec rm -rf src {} +', true],
  ['find . -type f | xargs rm -rf src', true],
  ['(find . -type f; echo src) | xargs rm -rf', true],
])('%s deletes the content of directories: %s', (command, recursive) => {
  expect(effects(command, 'delete').some((effect) => effect.recursive)).toBe(recursive);
});

test('a word from a search stays unknown', () => {
  expect(look('cat $(find . -name x)').commands.at(-1)?.argv[1]).toMatchObject({ dynamic: true, text: null });
});

test("commands of a script do not read the script's own input again", () => {
  expect(look('echo "su bob" | ssh host').coverage).not.toBe('failed');
});

test.each([
  ['su - bob', 'bob'],
  ['su -', null],
  ['su - "$X"', null],
  ['gosu bob ls', 'bob'],
])('%s is for %s', (command, user) => {
  expect(effects(command, 'privilege')[0]?.user).toBe(user);
});

test.each([
  ['find . -inum 7 -delete', 'surely'],
  ['find "$PWD" -inum 7 -delete', 'surely'],
  ['find /home/dev/shop/src -inum 7 -delete', 'surely'],
  ['find /home/dev -inum 7 -delete', 'perhaps'],
  ['find /home/dev/shopping -inum 7 -delete', 'perhaps'],
  ['find ~ -inum 7 -delete', 'perhaps'],
])('%s: one file of the project or of the machine', (command, sifted) => {
  expect(effects(command, 'delete')).toMatchObject([{ sifted }]);
});
