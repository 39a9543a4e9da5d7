import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scratchFolder } from '../testing/scratch.ts';
import { factsOf, shellCall } from './testing.ts';
import { realPath } from './world.ts';

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
