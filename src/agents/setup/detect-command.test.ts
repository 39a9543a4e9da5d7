import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { detectCommand, findCommand } from './detect-command.ts';

let folder: string;
let env: Record<string, string>;

beforeEach(() => {
  folder = scratchFolder();
  env = { PATH: `${folder}:/usr/bin:/bin`, SECRET: 'sk' };
});

function client(script: string): string {
  const path = join(folder, 'some-client');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const detect = (timeoutMs = 20_000) =>
  detectCommand({ env, home: folder }, { name: 'some-client', quiet: { NO_UPDATE: '1' }, timeoutMs });

describe('detectCommand', () => {
  test('a missing client is a value', async () => {
    expect(await detect()).toEqual({ installed: false, path: null, version: null });
  });

  test('the version is the one in the first line', async () => {
    const path = client('echo "2.1.325 (Some Client)"; echo "9.9.9"');
    expect(await detect()).toEqual({ installed: true, path, version: '2.1.325' });
    client('printf "some-client v0.61.0-nightly.1"');
    expect((await detect()).version).toBe('0.61.0-nightly.1');
    client('echo "Some Client 1.0.102."');
    expect((await detect()).version).toBe('1.0.102');
  });

  test('rejects an overlong version or one with control characters', async () => {
    client("printf '1.2.3-%s' $(head -c 5000 /dev/zero | tr '\\0' x)");
    expect((await detect()).version).toBeNull();
    client("printf '1.2.3\\033[2J\\n'");
    expect((await detect()).version).toBe('1.2.3');
  });

  test("a client that fails, prints nothing or can't start is installed with an unknown version", async () => {
    for (const script of ['exit 3', 'echo hello']) {
      const path = client(script);
      expect(await detect()).toEqual({ installed: true, path, version: null });
    }
    writeFileSync(join(folder, 'some-client'), '#!/no/such/interpreter\n');
    expect((await detect()).version).toBeNull();
  });

  test('reports the error that it prints instead of its version', async () => {
    const path = client('echo "cli.js:9" >&2; echo "SyntaxError: no such export" >&2; exit 1');
    const problem = 'SyntaxError: no such export';
    expect(await detect()).toEqual({ installed: true, path, version: null, problem });
    client('echo "1.2.3"; echo "a warning" >&2');
    expect(await detect()).toEqual({ installed: true, path, version: '1.2.3' });
  });

  test('files that a client writes during detection are in no home and are deleted', async () => {
    client(`touch "$CLIENT_HOME/x" && echo "$CLIENT_HOME" > ${folder}/where; echo 1.2.3`);
    const question = { name: 'some-client', quiet: {}, scratch: 'CLIENT_HOME', timeoutMs: 20_000 };
    expect((await detectCommand({ env, home: folder }, question)).version).toBe('1.2.3');
    const where = readFileSync(join(folder, 'where'), 'utf8').trim();
    expect(where).not.toContain(folder);
    expect(existsSync(where)).toBe(false);
  });

  test('gives up on a client that hangs', async () => {
    client('sleep 600');
    expect(await detect(50)).toMatchObject({ installed: true, version: null });
  });

  test("a child that keeps the pipe open doesn't delay the answer", async () => {
    client('sleep 600 & echo 1.2.3');
    expect((await detect()).version).toBe('1.2.3');
  });

  test('the client gets a small environment, with the switches that keep it quiet', async () => {
    client(`env > ${folder}/env; echo 1.2.3`);
    await detect();
    const seen = readFileSync(join(folder, 'env'), 'utf8');
    expect(seen).toContain('NO_UPDATE=1');
    expect(seen).toContain(`HOME=${folder}`);
    expect(seen).not.toContain('SECRET');
  });
});

test('findCommand takes the first executable file, and never one in the current directory', () => {
  const later = scratchFolder();
  mkdirSync(join(folder, 'tool'));
  writeFileSync(join(later, 'tool'), '');
  expect(findCommand('tool', { PATH: `${folder}:${later}` })).toBeNull();
  chmodSync(join(later, 'tool'), 0o755);
  expect(findCommand('tool', { PATH: `/nowhere:${folder}:${later}` })).toBe(join(later, 'tool'));
  expect(findCommand('bin/vitest', { PATH: '' })).toBeNull();
  expect(findCommand('tool', {})).toBeNull();
});
