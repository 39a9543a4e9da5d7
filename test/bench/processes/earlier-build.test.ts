import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../support/scratch.ts';
import { earlierBuild } from './earlier-build.js';

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    encoding: 'utf8',
  }).trim();

test('a clone without history explains how to get it', () => {
  const folder = scratchFolder();
  git(folder, 'init', '--quiet', 'full');
  const full = join(folder, 'full');
  for (const message of ['one', 'two']) git(full, 'commit', '--quiet', '--allow-empty', '-m', message);
  const first = git(full, 'rev-parse', 'HEAD~1');
  git(folder, 'clone', '--quiet', '--depth', '1', `file://${full}`, 'shallow');
  const missing = `revision ${first} is not in this checkout. Run \`git fetch --unshallow\`.`;
  expect(earlierBuild(first, join(folder, 'shallow'))).toEqual({ missing });
});

test('a directory without git has no earlier build', () => {
  expect(earlierBuild('no-such-revision', scratchFolder())).toEqual({
    missing: expect.stringContaining('revision no-such-revision is not in this checkout.'),
  });
});
