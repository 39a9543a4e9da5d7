import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { isLocked, takeLock } from './lock.ts';

test('only one process at a time holds a lock', () => {
  const path = join(scratchFolder(), 'run', 'lock.db');
  const lock = takeLock(path);
  expect(lock).not.toBeNull();
  expect(takeLock(path)).toBeNull();
  lock?.release();
  expect(isLocked(path)).toBe(false);
});

test('recovers from a lock file with foreign content', () => {
  const path = join(scratchFolder(), 'lock.db');
  takeLock(path)?.release();
  writeFileSync(path, 'notes\n'.repeat(1_000));
  expect(isLocked(path)).toBe(false);
  const lock = takeLock(path);
  expect(takeLock(path)).toBeNull();
  lock?.release();
});
