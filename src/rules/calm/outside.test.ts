import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EMPTY, isCalm } from '../../../test/support/rules/calm.ts';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { realWorld } from '../world/machine.ts';

test.each([
  'cat /home/dev/other/src/a.ts',
  'grep -n x /Users/dev/Desktop/shop/package.json | head -5',
  'cat ~/work/shop/README.md',
  'cat ~/Documents/shop/src/a.ts',
  'head -3 /mnt/c/Users/dev/code/shop/a.ts',
  'find /Users/dev/dev/shop -name "*.ts" | head',
  'ls -la ~/.claude 2>/dev/null || echo none',
  'cat ../other/package.json',
  'cd /Users/dev/dev/shop && git status',
  'cd ../other && git log --oneline -5 && ls src',
  'git -C ~/work/shop diff',
  'tail -20 /tmp/build.log',
  'cat /private/tmp/x/out.txt 2>&1 | grep x',
  'cat /workspace/shop/.github/workflows/ci.yml',
  'ls /etc',
])('what looks like a project is calm: %s', (line) => {
  expect(isCalm(line)).toBe(true);
});

test.each([
  'cat ~/.boto',
  'cat .boto',
  'cat ~/.netrc',
  'cat ~/.unheard-of',
  'cat ~/.config/unheard/of.yaml',
  'cat /Users/dev/.claude/settings.json',
  'cat /home/other/work/.env',
  'cat ~/work/shop/.npmrc',
  'cat ~/work/shop/secrets/x.ts',
  'cat ~/work/shop/api-keys.txt',
  'cat ~/work/backup/customers.sqlite',
  'cat ~/notes.txt',
  'cat ~/Documents/letter.txt',
  'cat "~/Downloads/bank-statement.csv"',
  'cat ~/Library/Cookies/x/y',
  'cat /mnt/c/Users/dev/AppData/Local/x/y.json',
  'cat /var/log/auth.log',
  'cat /etc/shadow',
  'cat /Volumes/x/notes/diary.txt',
  'cat /media/x/a/letter.txt',
  'cat /mnt/x/home/letter.txt',
  'cat /srv/app/data/users.json',
  'cat /root/x/a.ts',
  'cat /proc/1/environ',
  'cat /dev/sda',
  'awk 1 /inet/tcp/0/x.example/80',
  'awk 1 /inet6/tcp/0/x.example/80',
  'cat /tmp/.X11-unix/x',
  'cat /tmp/session-token',
  'ls ~',
  'ls ~/Documents',
  'ls ~/.ssh',
  'find / -name x',
  'find /home -name x',
  'rg x ~',
  'cd ~ && cat a',
  'cd ~/.aws && ls',
  'cd /etc && cat hosts',
  'git -C ~ log',
])('what may be private is not calm: %s', (line) => {
  expect(isCalm(line)).toBe(false);
});

test('a search outside the project is calm if every file it may read is', () => {
  const home = join(scratchFolder(), 'home');
  const folder = join(home, 'work/shop/src');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'a.ts'), '');
  const world = {
    ...realWorld(
      () => ({}),
      () => false,
    ),
    home,
  };
  expect(isCalm('grep -r x ~/work/shop', world)).toBe(true);
  writeFileSync(join(folder, '.rc'), '');
  expect(isCalm('grep -r x ~/work/shop', world)).toBe(false);
  expect(isCalm('rg x ~/work/shop', world)).toBe(true);
});

test('a directory that makes git start programs is never calm', () => {
  expect(isCalm('git -C ~/work/shop diff', { ...EMPTY, startsPrograms: () => true })).toBe(false);
});

test.each(['diff . src', 'diff -N . src', 'git diff --no-index . src', 'git diff . src'])(
  'comparing directories reads all of their content: %s',
  (line) => {
    const project = join(scratchFolder(), 'shop');
    mkdirSync(join(project, 'src'), { recursive: true });
    writeFileSync(join(project, 'a.ts'), '');
    const world = realWorld(
      () => ({}),
      () => false,
    );
    expect(isCalm(line, world, project)).toBe(true);
    writeFileSync(join(project, '.env'), 'TOKEN=x');
    expect(isCalm(line, world, project)).toBe(false);
  },
);

test.each([
  'cat link/../a',
  'cat < link/../a',
  'cat link/../*',
  'cd link && cat ../a',
  'cd link; cat ./../a',
  'git -C link/.. log',
])('.. after a link leads to the parent of its target: %s', (line) => {
  const project = join(scratchFolder(), 'shop');
  mkdirSync(join(project, '.aws/sub'), { recursive: true });
  for (const file of ['a', '.aws/a']) writeFileSync(join(project, file), '');
  symlinkSync('.aws/sub', join(project, 'link'));
  const world = realWorld(
    () => ({}),
    () => false,
  );
  expect(isCalm('cat a', world, project)).toBe(true);
  expect(isCalm(line, world, project)).toBe(false);
});
