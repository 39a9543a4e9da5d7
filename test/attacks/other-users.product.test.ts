import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stopDaemon } from '../../src/client/client.ts';
import { askAsScript } from '../../src/client/request.ts';
import { homePaths } from '../../src/home/paths.ts';
import { scriptIn } from '../../src/live/as-script.ts';
import { BIN, runProgram, scratchProduct } from '../faults/product.ts';

// Another user of the machine reads prompts and tokens, or writes a rule, where a file is left open to them. With a
// umask of 0, all that a program does not close itself is.

const PERMISSIONS = 0o777;

/** Everything below a folder, with itself, as its path and mode. */
function modesBelow(folder: string): readonly (readonly [path: string, mode: number])[] {
  const stat = statSync(folder);
  const below = stat.isDirectory()
    ? readdirSync(folder).flatMap((name) => modesBelow(join(folder, name)))
    : [];
  return [[folder, stat.mode & PERMISSIONS], ...below];
}

const isOpen = ([, mode]: readonly [path: string, mode: number]) => (mode & 0o077) !== 0;

test.skipIf(process.getuid === undefined)(
  'a home created by `up` with a umask of 0 is closed to others',
  async () => {
    const { env, folder } = scratchProduct();
    const paths = homePaths(join(folder, 'fresh'));
    const openly = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
      runProgram(
        '/bin/sh',
        ['-c', 'umask 0; exec "$@"', 'sh', process.execPath, BIN, ...args],
        '',
        { ...env, ...more, HOOKLINE_HOME: paths.root },
        folder,
      );
    expect(await openly(['up'])).toMatchObject({ code: 0 });
    const script = scriptIn(paths);
    onTestFinished(async () => {
      askAsScript(script.key);
      await stopDaemon(paths);
    });
    const modes = modesBelow(paths.root);
    expect(modes.map(([path]) => path)).toEqual(
      expect.arrayContaining([paths.lock, paths.token, join(paths.run, 'hookline.sock'), paths.database]),
    );
    expect(modes.filter(isOpen)).toEqual([]);

    const add = script.call(['rules', 'add', 'npm publish', '--deny', 'CI publishes.', '--yes']);
    expect(await openly(add.args, add.env)).toMatchObject({ code: 0 });
    expect(await openly(['status'])).toMatchObject({ code: 0 });
    const down = script.call(['down']);
    expect(await openly(down.args, down.env)).toMatchObject({ code: 0 });
    expect(modesBelow(paths.root).filter(isOpen)).toEqual([]);
  },
);
