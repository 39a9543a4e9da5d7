import { mkdtempSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { copyCheckout, inCheckout } from './checkout.ts';
import { useInstalled } from './installed.ts';

test('the result of `npm run install:global` no longer needs its checkout', async () => {
  const folder = mkdtempSync(join(inject('scratch'), 'moved-'));
  const checkout = join(folder, 'checkout');
  await copyCheckout(checkout);
  await inCheckout(checkout, ['npm', 'run', 'install:global'], {
    ...process.env,
    npm_config_prefix: join(folder, 'prefix'),
  });
  renameSync(checkout, join(folder, 'elsewhere'));

  const { hookline, callShell } = useInstalled(folder, process.execPath);
  onTestFinished(async () => void (await hookline('down')));
  expect(await hookline('--version')).toMatchObject({ code: 0, stdout: `${VERSION}\n` });
  const kind = inject('hasNative') ? 'native' : 'JavaScript';
  expect(await hookline('setup', 'claude', '--yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`The ${kind} forwarder ${VERSION} is at `),
  });
  expect((await callShell('npm publish')).stdout).toContain('Releases are made by CI.');
  expect(await hookline('doctor')).toMatchObject({ code: 0 });
});
