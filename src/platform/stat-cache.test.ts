import { realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { writeFileAtomically } from './files.ts';
import { cachedLstat, cachedRealPath, cachedStat, withStatCache } from './stat-cache.ts';

const sizeOf = (path: string) => cachedStat(path).stat?.size;
/** Waits for one round of the event loop. */
const nextRound = () => new Promise((resolve) => setImmediate(resolve));

test('checks a path once for everything that starts together, and again afterwards', async () => {
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

test('sees our own writes at once', () => {
  const path = join(scratchFolder(), 'file');
  withStatCache(() => {
    expect(sizeOf(path)).toBeUndefined();
    writeFileAtomically(path, 'abc');
    expect(sizeOf(path)).toBe(3);
  });
});

test('checks a link and its target once, too', async () => {
  const folder = realpathSync(scratchFolder());
  const [one, two, link] = ['one', 'two', 'link'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [one, two]) writeFileSync(path, path);
  symlinkSync(one, link);
  const leadsTo = () => ({ isLink: cachedLstat(link)?.isSymbolicLink(), real: cachedRealPath(link) });
  withStatCache(() => {
    expect(leadsTo()).toEqual({ isLink: true, real: one });
    rmSync(link);
    writeFileSync(link, 'now a file');
    expect(leadsTo()).toEqual({ isLink: true, real: one });
  });
  await nextRound();
  expect(leadsTo()).toEqual({ isLink: false, real: link });
});

test('unknown differs from missing', () => {
  const path = join(scratchFolder(), 'x'.repeat(300));
  expect(cachedLstat(path)).toBeNull();
  expect(cachedLstat(join(scratchFolder(), 'x'))).toBeUndefined();
});
