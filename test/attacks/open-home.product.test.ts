import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findWritableByOthers } from '../../src/home/ownership.ts';
import { homePaths } from '../../src/home/paths.ts';
import { bashPayload, FORWARDERS, scratchProduct, until } from '../faults/product.ts';
import { scratchFolder } from '../support/scratch.ts';

// Write access to the home decides what agents may do and which code runs as the user. A home of mode 0777 used to be
// accepted without a finding by `doctor`.

const USER = process.getuid?.() ?? null;

function scratchHome(mode = 0o755) {
  const root = join(scratchFolder(), 'home');
  const paths = homePaths(root);
  for (const folder of [root, paths.run, paths.rules, paths.hooks, paths.bin])
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const file of [paths.config, paths.hooksFile, paths.trust, paths.grants, paths.scriptKeys])
    writeFileSync(file, '', { mode: 0o600 });
  chmodSync(root, mode);
  return paths;
}

describe.skipIf(USER === null)('a home that others can write to', () => {
  test.each([
    'root',
    'run',
    'rules',
    'hooks',
    'bin',
    'config',
    'hooksFile',
    'trust',
    'grants',
    'scriptKeys',
  ] as const)('is detected by its %s, for all users and for a group', (name) => {
    for (const mode of [0o777, 0o775, 0o720, 0o702]) {
      const paths = scratchHome();
      expect(findWritableByOthers(paths)).toBeNull();
      chmodSync(paths[name], mode);
      expect(findWritableByOthers(paths)).toEqual({
        message: expect.stringContaining(
          `Other users can write to ${paths[name]} (mode 0${mode.toString(8)})`,
        ),
        fix: `chmod go-w ${paths[name]}`,
        closable: paths[name],
      });
    }
  });

  test('is detected if it belongs to another user', () => {
    const paths = scratchHome();
    expect(findWritableByOthers(paths, (USER ?? 0) + 1)?.message).toContain('belongs to another user');
  });

  test('is detected behind a link', () => {
    const paths = scratchHome(0o777);
    const link = join(scratchFolder(), 'link');
    symlinkSync(paths.root, link);
    expect(findWritableByOthers(homePaths(link))?.message).toContain('mode 0777');
  });

  test('is not reported if the home is closed to others, even with writable files in it', () => {
    const paths = scratchHome(0o700);
    chmodSync(paths.config, 0o664);
    expect(findWritableByOthers(paths)).toBeNull();
  });
});

describe.skipIf(USER === null)('in a home that others can write to', () => {
  test('does not start the daemon, and every surface says what to do', async () => {
    const product = scratchProduct();
    chmodSync(product.paths.root, 0o777);
    const fix = `chmod go-w ${product.paths.root}`;
    const started = await product.run(['up']);
    expect(started.code).not.toBe(0);
    expect(started.stderr).toContain('mode 0777');
    expect(started.stderr).toContain(fix);
    const doctor = await product.run(['doctor']);
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toContain(`✗ Other users can write to ${product.paths.root}`);
    expect(doctor.stdout).toContain(fix);
    const planted = join(product.folder, 'ran');
    mkdirSync(product.paths.hooks);
    const hook = join(product.paths.hooks, 'planted.mjs');
    writeFileSync(
      hook,
      `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(planted)}, '');\n`,
    );
    const { stdout } = await product.read(['status']);
    expect(stdout).toContain(fix);
    expect(stdout).toContain("won't start while other users can write to its home");
    expect(stdout).not.toContain('starts on the next tool call');
    await product.run(['doctor']);
    expect(existsSync(planted)).toBe(false);
    rmSync(hook);
    chmodSync(product.paths.root, 0o755);
    expect((await product.run(['up'])).code).toBe(0);
    expect((await product.run(['doctor'])).stdout).toContain(`✓ Only you can write to ${product.paths.root}`);
  });

  test.each(FORWARDERS)(
    'the %s forwarder obeys nothing in it, and applies the failure mode',
    async (forwarder) => {
      for (const [failure, code] of [
        ['open', 1],
        ['closed', 2],
      ] as const) {
        const product = scratchProduct({ config: `failure: ${failure}\n` });
        const proof = join(product.folder, 'ran');
        mkdirSync(product.paths.hooks);
        writeFileSync(
          join(product.paths.hooks, 'planted.mjs'),
          `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(proof)}, '');\n`,
        );
        product.rules('rules: [{id: planted, allow: true, tool: "*"}]\n');
        chmodSync(product.paths.rules, 0o777);
        const call = () =>
          product.hook(forwarder, 'PreToolUse', bashPayload('ls'), { HOOKLINE_NO_AUTOSTART: '1' });
        const ran = await call();
        expect({ failure, code: ran.code, stdout: ran.stdout }).toEqual({ failure, code, stdout: '' });
        expect(ran.stderr).toMatch(failure === 'open' ? /not checked.*can write to/ : /fail closed/);
        expect(() => rmSync(proof)).toThrow('ENOENT');
        // The same home, closed again: its content counts.
        chmodSync(product.paths.rules, 0o755);
        await until('the planted hook runs', async () => {
          const { stderr } = await call();
          // On a busy machine it may not be loaded in time, and that is said.
          if (!existsSync(proof)) expect(stderr).toContain('was not loaded within');
          return existsSync(proof);
        });
        rmSync(proof);
      }
    },
  );
});
