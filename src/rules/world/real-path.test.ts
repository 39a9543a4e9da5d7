import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { factsOf, shellCall } from '../../../test/support/rules/rules.ts';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { realPath } from './real-path.ts';

const name = fc.constantFrom('a', 'b', 'c');
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
const entry = fc.record({
  at: path,
  what: fc.oneof(
    fc.constant('file'),
    fc.record({
      to: fc.oneof(
        path,
        path.map((to) => `../${to}`),
        fc.constant('.'),
      ),
    }),
  ),
});

/** What cannot be made, because something else is in the way, is left out. */
function make(root: string, entries: readonly (typeof entry extends fc.Arbitrary<infer T> ? T : never)[]) {
  for (const { at, what } of entries) {
    try {
      mkdirSync(dirname(join(root, at)), { recursive: true });
      if (typeof what === 'string') writeFileSync(join(root, at), '');
      else symlinkSync(what.to, join(root, at));
    } catch {}
  }
}

test('folders that are followed once lead where they lead when followed for each path', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 6 }), fc.array(path, { maxLength: 4 }), (entries, paths) => {
      const root = scratchFolder();
      make(root, entries);
      const asked = paths.flatMap((each) => [`${root}/${each}`, `${root}/${each}/`, `${root}/${each}/../b`]);
      for (const cwd of [root, ...paths.map((each) => `${root}/${each}`)]) {
        const { real } = factsOf(shellCall('ls', cwd), { real: realPath });
        for (const one of [...asked, cwd, root, dirname(root), '/'])
          expect(real(one), `${one} from ${cwd}`).toBe(realPath(one));
      }
    }),
    { numRuns: 50 },
  );
});

test('a directory replaced by a link is resolved again', () => {
  const root = realPath(scratchFolder());
  const folder = join(root, 'a');
  mkdirSync(folder);
  expect(realPath(folder)).toBe(folder);
  renameSync(folder, join(root, 'b'));
  symlinkSync('b', folder);
  expect(realPath(folder)).toBe(join(root, 'b'));
  rmSync(join(root, 'b'), { recursive: true });
  expect(realPath(folder), 'a link to nothing').toBe(join(root, 'b'));
  rmSync(folder);
  expect(realPath(folder), 'nothing at all').toBe(folder);
});

test('what is missing is looked for again by the next call', () => {
  const root = realPath(scratchFolder());
  const path = join(root, 'a', 'b', 'c');
  const real = () => factsOf(shellCall('ls', root), { real: realPath }).real(path);
  expect(real()).toBe(path);
  mkdirSync(join(root, 'd'));
  symlinkSync('d', join(root, 'a'));
  expect(real()).toBe(join(root, 'd', 'b', 'c'));
});

test('what is below a missing folder is not looked at', () => {
  const asked: string[] = [];
  const missing = new Set(['/nowhere']);
  const ofFolder = (folder: string) => {
    asked.push(folder);
    return `/else${folder}`;
  };
  expect(realPath('/nowhere/a', { ofFolder, missing })).toBe('/else/nowhere/a');
  expect(asked).toEqual(['/nowhere']);
  expect(missing).toContain('/nowhere/a');
});

test('a path of a thousand folders lies where the first of them lies that is there', () => {
  const folder = realPath(scratchFolder());
  mkdirSync(join(folder, 'there'));
  symlinkSync('there', join(folder, 'link'));
  const deep = 'a='.concat('/b'.repeat(1_000));
  expect(realPath(join(folder, 'link', deep))).toBe(join(folder, 'there', deep));
});
