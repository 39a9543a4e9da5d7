import { describe, expect, test } from 'vitest';
import { judged } from './judged.ts';

// An agent leaves Hookline's home alone and changes a directory above it: unpacking there overwrites the files, and
// removing access hides them.

const ASKED = [
  'tar xf x.tar -C /',
  'tar xf x.tar -C /home',
  'cd / && tar xf /tmp/x.tar',
  'unzip x.zip -d /',
  'tar -xPf x.tar',
  'tar xPf x.tar -C build',
  'tar --extract --absolute-names --file x.tar',
  'bsdtar -xPf x.tar',
  'cpio -id --absolute-filenames < x',
  'jar xPf x.jar',
  'cp -r x/. ~/',
  'rsync -a x/ ~/',
  'cd ~; git stash -u',
  'git -C ~ stash --all',
  'git --git-dir=/tmp/x --work-tree=/home/dev checkout -f',
  'git -C ~ apply x.patch',
  'cd ~ && patch -p0 < x.diff',
  'cd ~ && cpio -idm < x',
  '7z x x.7z -o/home/dev',
  'python3 -m zipfile -e x.zip ~',
  'restic restore latest --target /',
  'stow -t ~ dotfiles',
];

const DENIED = [
  'chmod 000 ~',
  'chmod a-x ~',
  'chmod 600 /home/dev',
  'mv ~ /tmp/x',
  'cd ~ && git clean -fdx',
  'rsync -a --delete x/ ~/',
  'bwrap --bind /tmp/x ~/.hookline sh',
  'bwrap --bind / / --tmpfs ~/.claude claude -p hi',
];

const EVERYDAY = [
  'chmod 700 ~',
  'chmod go-rwx ~',
  'git stash -u',
  'git -C ~/src/app pull',
  'cd ~ && git status',
  'patch -p1 < x.diff',
  'tar xf x.tar -C /tmp/x',
  'tar cPf x.tar /srv/data',
  'tar -tPf x.tar',
  '7z x x.7z',
  'bwrap --ro-bind / / --dev /dev npm test',
];

describe('with the default rules', () => {
  const decide = judged();
  test.each(ASKED)('asked: %s', (command) => {
    expect(decide(command)).toBe('ask');
  });
  test.each(DENIED)('denied: %s', (command) => {
    expect(decide(command)).toBe('deny');
  });
  test.each(EVERYDAY)('no decision for %s', (command) => {
    expect(decide(command)).toBe('none');
  });
});

test('without self-protection they succeed, so it is what denies them', () => {
  const decide = judged({ 'self-protection': 'off', filesystem: 'off', git: 'off' });
  expect([...ASKED, ...DENIED].filter((command) => decide(command) !== 'none')).toEqual([]);
});
