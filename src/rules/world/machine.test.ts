import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { realWorld } from './machine.ts';

const { isAbsent, scriptText } = realWorld(
  () => ({}),
  () => false,
);

test('what is sure to be absent is told from what cannot be seen', () => {
  const folder = scratchFolder();
  const at = (...names: readonly string[]) => join(folder, ...names);
  mkdirSync(at('there'));
  writeFileSync(at('file'), '');
  symlinkSync(at('elsewhere'), at('link'));
  for (const path of [at('new'), at('there', 'new'), at('not', 'yet', 'new')])
    expect(isAbsent?.(path)).toBe(true);
  for (const path of [
    at('there'),
    at('file'),
    at('link'),
    at('file', 'new'),
    at('link', 'new'),
    at('x'.repeat(300)),
  ])
    expect(isAbsent?.(path)).toBe(false);
});

test('a file that is not there has no text', () => {
  const path = join(scratchFolder(), 'a.sh');
  expect(scriptText?.(path)).toBeNull();
  writeFileSync(path, 'ls\n');
  expect(scriptText?.(path)).toBe('ls\n');
});
