import { describe, expect, test } from 'vitest';
import { writeCall } from '../support/rules/rules.ts';
import { judged, judgedEvent } from './judged.ts';

// With the pack project-only, an agent leaves the project by links, by `..`, and by names that are put together.

const PACK = { 'project-only': 'on' } as const;
/** A link that the repository brings along. */
const world = {
  real: (path: string) => path.replace(/^\/home\/dev\/project\/link(?=\/|$)/, '/home/dev/other'),
};

const OUTSIDE = [
  'echo x > link/a.txt',
  'echo x > src/../../other/a.txt',
  'cd link && touch a.txt',
  'D=/home/dev; echo x > "$D/a.txt"',
  'tar xf x.tar -C "$HOME/x"',
  'cp src/a.ts ~/a.ts',
  'mv src ~',
  'mv ~/notes.md .',
  'ln -s ~/other h; echo x > h/a.txt',
  "sh -c 'echo x > ~/a.txt'",
  'echo ~/a.txt | xargs touch',
  `python3 -c "import os; open(os.path.expanduser('~/a.txt'), 'w')"`,
  `node -e "require('fs').cpSync('src', '/home/dev/src', { recursive: true })"`,
  'git worktree add ../other',
  'unknown-program --out=/home/dev/a.txt',
];

const INSIDE = [
  'echo x > src/a.txt',
  'cd src && touch a.txt',
  'mkdir -p build && cp -r src build/',
  'tar xf x.tar',
  'git commit -am x',
  'npm install && npm test',
  'echo x > /tmp/a.txt',
  'T=$(mktemp); cp src/a.ts "$T"',
  'cat link/a.txt ~/notes.md',
];

describe('with the pack project-only', () => {
  const decide = judged(PACK, world);
  test.each(OUTSIDE)('asked: %s', (command) => {
    expect(decide(command)).toMatch(/ask|deny/);
  });
  test.each(INSIDE)('no decision for %s', (command) => {
    expect(decide(command)).toBe('none');
  });
  test.each([
    ['/home/dev/a.txt', 'ask'],
    ['link/a.txt', 'ask'],
    ['../other/a.txt', 'ask'],
    ['src/a.txt', 'none'],
    ['/tmp/a.txt', 'none'],
    ['/home/dev/.claude/plans/a.md', 'none'],
  ])('a file tool that writes %s: %s', (path, decision) => {
    expect(judgedEvent(PACK, world)(writeCall(path))).toBe(decision);
  });
});

test('without the pack none of them needs approval', () => {
  expect(OUTSIDE.filter((command) => judged({}, world)(command) !== 'none')).toEqual([]);
});
