import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { treeStatus } from './git-status.ts';

test.skipIf(process.platform === 'win32')(
  'a repository that makes git wait is not asked about again and again',
  () => {
    const [waiting, other] = [scratchFolder(), scratchFolder()];
    for (const folder of [waiting, other]) execFileSync('git', ['init', '-q', folder]);
    expect(treeStatus(other)).toBe('clean');
    execFileSync('mkfifo', [join(waiting, '.gitignore')]);
    expect(() => treeStatus(waiting)).toThrow('git status failed');
    for (const folder of [waiting, other])
      expect(() => treeStatus(folder)).toThrow('git took too long a moment ago');
  },
);
