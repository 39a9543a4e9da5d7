import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { programName, typedHere } from './program.ts';

test('a checkout that is not installed is called by its file', () => {
  const root = scratchFolder();
  const script = join(root, 'bin', 'hookline.js');
  expect(programName({ PATH: '/nowhere' }, script, root)).toBe('node bin/hookline.js');
  expect(programName({ PATH: '/nowhere' }, script, join(root, 'other'))).toBe(`node ${script}`);
  expect(programName({ PATH: '/nowhere' }, join(root, 'a b', 'hookline.js'), root)).toBe(
    'node "a b/hookline.js"',
  );
});

test('what is on PATH is called by its name', () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'hookline'), '#!/bin/sh\n');
  chmodSync(join(folder, 'hookline'), 0o755);
  expect(programName({ PATH: folder }, join(folder, 'hookline'), folder)).toBe('hookline');
});

test('hints name the command as it has to be typed', () => {
  expect(typedHere('See `hookline try --help`.', 'node bin/hookline.js')).toBe(
    'See `node bin/hookline.js try --help`.',
  );
  expect(typedHere('See `hookline try --help`.', 'hookline')).toBe('See `hookline try --help`.');
});

test('pages of the docs are named by a path that exists, also where Hookline is installed globally', () => {
  vi.spyOn(process, 'cwd').mockReturnValue(scratchFolder());
  onTestFinished(() => void vi.restoreAllMocks());
  const [path = ''] = /\S+configuration\.md/.exec(typedHere('See docs/configuration.md for it.')) ?? [];
  expect(isAbsolute(path) && existsSync(path)).toBe(true);
  expect(typedHere('See docs/no-such-page.md.')).toBe('See docs/no-such-page.md.');
});
