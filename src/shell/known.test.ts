import { describe, expect, test } from 'vitest';
import { effects, look, paths } from '../../test/support/shell/shell.ts';

const tools = (command: string) => look(command).commands.map(({ tool }) => tool);

describe('knows a program by name if its directory is unknown', () => {
  test.each([
    ['"$VENV/bin/python" -m pytest', 'python'],
    ['$VENV/bin/python3 x.py', 'python'],
    ['"$(npm bin)/eslint" .', 'eslint'],
    ['PY=$(which python3); $PY x.py', 'python'],
    ['PY=$(command -v python3); "$PY" x.py', 'python'],
    ['$(which rm) -rf x', 'rm'],
  ])('%j', (command, tool) => {
    expect(tools(command)).toContain(tool);
    expect(look(command).coverage).toBe('partial');
  });

  test.each(['$X', '$X/', '/bin/$X', '"$A/$B" x', '$(which $X) y'])('%j is unknown', (command) => {
    expect(tools(command)).toContain(null);
  });

  test('knows its effects as well', () => {
    expect(paths('$(which rm) -rf /', 'delete')).toEqual(['/']);
  });
});

test.each([
  ['rm -rf "$(mktemp -d)"', /^\/tmp\/tmp\.new-[\d-]+$/],
  ['t=$(mktemp -d); rm -rf "$t"', /^\/tmp\/tmp\.new-[\d-]+$/],
  ['t=$(mktemp -d); rm -rf "$t/x"', /^\/tmp\/tmp\.new-[\d-]+\/x$/],
  ['rm -rf "$(mktemp -d /srv/x.XXXXXX)"', /^\/srv\/x\.new-[\d-]+$/],
  ['rm -rf "$(mktemp -d -p /srv)"', /^\/srv\/tmp\.new-[\d-]+$/],
  ['rm -rf "$(mktemp -d x.XXXXXX)"', /^\/home\/dev\/shop\/x\.new-[\d-]+$/],
])('a new name is unique in a known directory: %j', (command, path) => {
  expect(paths(command, 'delete')).toEqual([expect.stringMatching(path)]);
});

test('two new names are not the same', () => {
  const [one, other] = paths('a=$(mktemp); b=$(mktemp); rm "$a" "$b"', 'delete');
  expect(one).not.toBe(other);
});

test.each(['npx rimraf a b', 'rimraf a b', 'npx --yes del-cli a b'])('%j deletes trees', (command) => {
  expect(effects(command, 'delete')).toMatchObject(
    ['a', 'b'].map((name) => ({ path: `/home/dev/shop/${name}`, recursive: true, force: true })),
  );
});

test.each([
  ['find . -type d -name node_modules -exec rm -rf {} +', '/home/dev/shop/**/node_modules'],
  ["find src -name '*.tmp' -exec rm {} \\;", '/home/dev/shop/src/**/*.tmp'],
  ['find . -name a -o -name b -exec rm {} \\;', '/home/dev/shop/**/{a,b}'],
  ["find . \\( -name a -o -name 'b*' \\) -exec rm {} +", '/home/dev/shop/**/{a,b*}'],
  ['find . -path ./x -prune -o -name b -exec rm {} +', '/home/dev/shop/**/b'],
  ['find . -name a -o -mtime 1 -exec rm {} +', '/home/dev/shop/**'],
  ['find . -name a ! -path x -exec rm {} +', '/home/dev/shop/**/a'],
  ['find . ! \\( -name a -o -name b \\) -exec rm {} +', '/home/dev/shop/**'],
  ['find . -exec echo -name a \\; -exec rm {} +', '/home/dev/shop/**'],
  ['find . -exec rm {} + -name a', '/home/dev/shop/**'],
  [`find x -name 'a*' -exec sh -c 'rm "$1"' _ {} \\;`, '/home/dev/shop/x/**/a*'],
  [`find x -exec sh -c 'for f; do rm "$f"; done' _ {} +`, '/home/dev/shop/x/**'],
  ['find x -maxdepth 0 -exec rm -r {} +', '/home/dev/shop/x'],
  ['find . -exec echo -name a \\; -delete', '/home/dev/shop'],
  ['find . -delete -name a', '/home/dev/shop'],
  ['find . -mtime +3 -type f -delete', '/home/dev/shop/**'],
  ['find . -type d -empty -delete', '/home/dev/shop/**'],
  ['find . ! -name a -exec rm {} \\;', '/home/dev/shop/**'],
  ['find . -not -name a -exec rm {} \\;', '/home/dev/shop/**'],
  ['find . -name "$X" -exec rm {} \\;', '/home/dev/shop/**'],
  ['find . -exec rm {} \\;', '/home/dev/shop/**'],
])('%j deletes %s', (command, path) => {
  expect(paths(command, 'delete')).toEqual([path]);
});
