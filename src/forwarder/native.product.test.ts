import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { hasCargo } from '../../test/programs.ts';

const crate = fileURLToPath(new URL('../../native', import.meta.url));

test.skipIf(!hasCargo)('the native forwarder passes its own tests', { timeout: 300_000 }, () => {
  const ran = spawnSync('cargo', ['test', '--offline', '--quiet'], { cwd: crate, encoding: 'utf8' });
  expect(ran.status, `${ran.stdout}\n${ran.stderr}`).toBe(0);
  expect(ran.stdout).toMatch(/test result: ok\. [1-9]\d* passed/);
});
