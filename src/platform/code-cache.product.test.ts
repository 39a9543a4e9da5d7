import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));
let folder = '';
let home = '';

/** The program's built entry file, with another program behind it. */
beforeEach(() => {
  folder = scratchFolder();
  home = join(folder, 'home');
  mkdirSync(home);
  machineKey('of this machine');
  cpSync(CLI, join(folder, 'cli.cjs'));
  program('1');
});

const textOf = (says: string) => `function say() { console.log(${says}); }\nsay();\n`;

function program(says: string): void {
  writeFileSync(join(folder, 'program.cjs'), textOf(says));
}

function machineKey(text: string): void {
  writeFileSync(join(home, 'machine-key.pem'), text, { mode: 0o600 });
}

function run(args: readonly string[] = [], options: readonly string[] = []) {
  const env = { PATH: process.env.PATH, HOME: folder, HOOKLINE_HOME: home };
  const ran = spawnSync(process.execPath, [...options, join(folder, 'cli.cjs'), ...args], {
    env,
    encoding: 'utf8',
  });
  return { code: ran.status, out: ran.stdout.trim() };
}

/** The one cached file of the program. */
function kept(): string {
  const cache = join(home, 'compile-cache');
  const files = readdirSync(cache).flatMap((version) =>
    readdirSync(join(cache, version)).map((name) => join(cache, version, name)),
  );
  expect(files).toHaveLength(1);
  return files[0] ?? '';
}

/** Changes whenever the file is written. */
const identity = (path: string) => statSync(path).ino;

test('runs with and without a cache', () => {
  expect([run(), run()]).toEqual([
    { code: 0, out: '1' },
    { code: 0, out: '1' },
  ]);
});

test('creates no home', () => {
  rmSync(home, { recursive: true });
  expect(run()).toEqual({ code: 0, out: '1' });
  expect(readdirSync(folder)).not.toContain('home');
});

test('runs if nothing can be cached', () => {
  writeFileSync(join(home, 'compile-cache'), '');
  expect(run()).toEqual({ code: 0, out: '1' });
});

test('a missing program is a failure, not a decision', () => {
  rmSync(join(folder, 'program.cjs'));
  expect(run().code).toBe(1);
});

test('caches compiled code once, readable only by its owner', () => {
  run();
  const before = identity(kept());
  expect(statSync(kept()).mode & 0o777).toBe(0o600);
  run();
  expect(identity(kept())).toBe(before);
});

test('a daemon with other flags shares it with other processes', () => {
  run(['daemon'], ['--max-semi-space-size=4']);
  const before = identity(kept());
  run(['status']);
  expect(identity(kept())).toBe(before);
});

test('recompiles a changed program, even of the same length', () => {
  run();
  program('2');
  expect(run().out).toBe('2');
  program('1');
  expect(run().out).toBe('1');
});

/** The seal and the checksum of the text, followed by its length. */
const SEAL = 32;
const HEAD = SEAL + 4;
const STEP = 97;

test("doesn't run damaged code, whichever byte it is", () => {
  run();
  const whole = readFileSync(kept());
  for (let at = 0; at < whole.length; at += at < HEAD - 1 ? 1 : STEP) {
    const damaged = Buffer.from(whole);
    damaged.writeUInt8(damaged.readUInt8(at) ^ 0xff, at);
    writeFileSync(kept(), damaged);
    expect(run()).toEqual({ code: 0, out: '1' });
    expect(readFileSync(kept()).equals(damaged)).toBe(false);
  }
  writeFileSync(kept(), whole.subarray(0, 3));
  expect(run()).toEqual({ code: 0, out: '1' });
});

/** V8 itself distinguishes texts only by length. */
test("doesn't run code compiled from another text", () => {
  program('2');
  run();
  const forged = readFileSync(kept());
  forged.writeUInt32LE(crc32(textOf('1')), SEAL);
  program('1');
  writeFileSync(kept(), forged);
  expect(run()).toEqual({ code: 0, out: '1' });
});

test("doesn't run code sealed with another key", () => {
  program('2');
  machineKey('of another machine');
  run();
  const foreign = readFileSync(kept());
  foreign.writeUInt32LE(crc32(textOf('1')), SEAL);
  program('1');
  machineKey('of this machine');
  writeFileSync(kept(), foreign);
  expect(run()).toEqual({ code: 0, out: '1' });
});

test('caches nothing without a key, or with an empty one', () => {
  machineKey('');
  run();
  rmSync(join(home, 'machine-key.pem'));
  expect(run()).toEqual({ code: 0, out: '1' });
  expect(readdirSync(home)).toEqual([]);
});

test.skipIf(process.platform === 'win32')("doesn't run what others could have written", () => {
  run();
  const before = identity(kept());
  chmodSync(kept(), 0o622);
  expect(run().out).toBe('1');
  expect(identity(kept())).not.toBe(before);
});

test('deletes the files of other versions of the program', () => {
  run();
  writeFileSync(join(kept(), '..', 'part-of-before.cjs'), 'old');
  program('2');
  run();
  expect(kept()).toMatch(/program\.cjs$/);
});
