import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { treeStatus } from '../../src/rules/world/git-status.ts';
import { scratchFolder } from '../support/scratch.ts';

// A repository that was just cloned makes git run a program of its choice when a rule with `tree:` looks at it.

const ATTACKS: readonly (readonly [name: string, settings: readonly string[]])[] = [
  ['a monitor', ['core.fsmonitor']],
  ['a clean filter', ['filter.x.clean']],
  ['a filter that is a process', ['filter.x.process']],
  ['a filter with a name of its own making', ['filter.a=b.c d.clean']],
];

/** A repository with one committed file that git has to look into again, and a script that leaves a mark. */
function hostileRepository(settings: readonly string[]): { readonly folder: string; readonly mark: string } {
  const folder = scratchFolder();
  const mark = join(scratchFolder(), 'mark');
  const script = join(scratchFolder(), 'run.sh');
  writeFileSync(script, `#!/bin/sh\ntouch ${mark}\ncat\n`);
  chmodSync(script, 0o755);
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example', ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
  git('init', '-q');
  const driver = settings[0]?.startsWith('filter.')
    ? settings[0].slice('filter.'.length, settings[0].lastIndexOf('.'))
    : 'x';
  writeFileSync(join(folder, '.gitattributes'), /[ =]/.test(driver) ? '' : `*.txt filter=${driver}\n`);
  writeFileSync(join(folder, 'a.txt'), 'a\n');
  git('add', '.');
  git('commit', '-qm', 'x');
  for (const name of settings) git('config', name, script);
  const then = new Date(Date.now() - 60_000);
  utimesSync(join(folder, 'a.txt'), then, then);
  return { folder, mark };
}

test.each(ATTACKS)('%s of the repository does not run', (_, settings) => {
  const { folder, mark } = hostileRepository(settings);
  expect(treeStatus(folder)).toBe('clean');
  expect(existsSync(mark)).toBe(false);
});

test.each(ATTACKS.slice(0, 3))('%s would run without the defense', (_, settings) => {
  const { folder, mark } = hostileRepository(settings);
  execFileSync('git', ['status', '--porcelain'], { cwd: folder, stdio: 'ignore' });
  expect(existsSync(mark)).toBe(true);
});

test('detects a change', () => {
  const { folder } = hostileRepository(['filter.x.clean']);
  writeFileSync(join(folder, 'a.txt'), 'b\n');
  expect(treeStatus(folder)).toBe('dirty');
});
