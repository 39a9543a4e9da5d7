import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { writeFileAtomically } from './files.ts';
import { cachedStat, withStatCache } from './stat-cache.ts';

const sizeOf = (path: string) => cachedStat(path).stat?.size;
/** The event loop has come round. */
const nextRound = () => new Promise((resolve) => setImmediate(resolve));

test('a path is looked at once for all that begins together, and again afterwards', async () => {
  const path = join(scratchFolder(), 'file');
  writeFileSync(path, 'a');
  const sizes: unknown[] = [];
  withStatCache(() => {
    sizes.push(sizeOf(path));
    writeFileSync(path, 'abc');
    void (async () => {
      for (let at = 0; at < 20; at += 1) await null;
      sizes.push(sizeOf(path));
    })();
  });
  await nextRound();
  expect(sizes).toEqual([1, 1]);
  expect(sizeOf(path)).toBe(3);
});

test('what we write ourselves is seen at once', () => {
  const path = join(scratchFolder(), 'file');
  withStatCache(() => {
    expect(sizeOf(path)).toBeUndefined();
    writeFileAtomically(path, 'abc');
    expect(sizeOf(path)).toBe(3);
  });
});
