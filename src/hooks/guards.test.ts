import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { openGuardHooks } from './guards.ts';

test('guards are remembered after a restart, including those that others added', () => {
  const file = join(scratchFolder(), 'guard-hooks.json');
  const [one, other] = [openGuardHooks(file), openGuardHooks(file)];
  expect(one.has('a')).toBe(false);
  one.add('a');
  other.add('b');
  expect(one.has('a')).toBe(true);
  const later = openGuardHooks(file);
  expect(['a', 'b', 'c'].map((name) => later.has(name))).toEqual([true, true, false]);
});

test.each(['{', '[1]', '{}'])(
  'while the file is %s, every hook counts as a guard, and the file stays unchanged',
  (text) => {
    const file = join(scratchFolder(), 'guard-hooks.json');
    writeFileSync(file, text);
    const guards = openGuardHooks(file);
    guards.add('a');
    expect(guards.has('never heard of')).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(text);
  },
);

test("if the file can't be written, only the memory of guards is lost", () => {
  const folder = join(scratchFolder(), 'home');
  const guards = openGuardHooks(join(folder, 'guard-hooks.json'));
  // Not a directory, so nothing can be written into it.
  writeFileSync(folder, '');
  guards.add('a');
  expect(guards.has('a')).toBe(true);
});
