import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { person, printed, useHome } from '../../../test/support/cli.ts';
import { scratchHome, startDaemon, until } from '../../../test/support/daemon/daemon.ts';
import { testAccount } from '../../../test/support/fleet/creds.ts';
import { startServer, testWithServer as test } from '../../../test/support/fleet/nats.ts';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { readIfExists } from '../../platform/files.ts';
import fleet from './fleet.ts';

/** A daemon whose user runs `hookline fleet join <url> --creds <file>`. */
async function user(url: string) {
  const paths = scratchHome();
  useHome(paths);
  const daemon = await startDaemon(paths, { access: person });
  const joins = async (creds: string, ...more: string[]) => {
    const file = join(scratchFolder(), 'maya.creds');
    writeFileSync(file, creds);
    await printed(fleet, ['join', url, '--creds', file, '--with-history', ...more]);
  };
  const status = () => {
    const now = daemon.fleet.status();
    if (!now.joined) throw new Error('not in a fleet');
    return now;
  };
  const allSent = () => until(() => status().connected && status().parts.audit?.waiting === 0);
  return { paths, joins, status, allSent };
}

test('logs in with a credentials file, and no more when it is revoked', async () => {
  const account = testAccount();
  const server = await startServer(account.config());
  const { paths, joins, status, allSent } = await user(server.url);
  const first = account.user();
  await joins(first.creds);
  await allSent();
  const secret = join(paths.root, 'secrets', 'fleet-login');
  expect(statSync(secret).mode & 0o777).toBe(0o600);
  expect(readIfExists(paths.fleet)).not.toContain('SU');

  server.configure(account.config([first.id]));
  process.kill(server.pid(), 'SIGHUP');
  await until(() => !status().connected && /authori[sz]ation|revoked/i.test(status().problem ?? ''));
  await expect(joins(first.creds)).rejects.toThrow(/Can't use .*: .*authorization/i);

  // Other credentials of the same account work, and queued records are sent.
  await joins(account.user().creds);
  await allSent();
});

test.each([
  ['of another account', () => testAccount().user().creds, /Can't use .*: .*authorization/i],
  ['that is none', () => 'maya', /Can't use .*: .*credentials/i],
])('a credentials file %s is refused, and not kept', async (_, creds, why) => {
  const server = await startServer(testAccount().config());
  const { paths, joins } = await user(server.url);
  await expect(joins(creds())).rejects.toThrow(why);
  expect(readIfExists(paths.fleet)).toBeNull();
});

test.each([
  ['ends right after its END line', (creds: string) => creds.replace(/(END USER NKEY SEED-+)[\s\S]*$/, '$1')],
  ['has lines as on Windows', (creds: string) => creds.replaceAll('\n', '\r\n')],
  ['has empty lines around it', (creds: string) => `\n\n${creds}\n\n`],
])('a credentials file that %s is good', async (_, written) => {
  const account = testAccount();
  const server = await startServer(account.config());
  const { joins, allSent } = await user(server.url);
  await joins(written(account.user().creds));
  await allSent();
});

test('a credentials file that cannot be used is refused without a server, too', async () => {
  const { paths, joins } = await user('nats://127.0.0.1:1');
  await expect(joins('maya', '--offline')).rejects.toThrow(/Can't use the credentials file/i);
  expect(readIfExists(paths.fleet)).toBeNull();
});

test('a credentials file that has expired is refused', async () => {
  const account = testAccount();
  const server = await startServer(account.config());
  const { joins } = await user(server.url);
  const expires = Math.floor(Date.now() / 1_000) - 30;
  await expect(joins(account.user({ expires }).creds)).rejects.toThrow(
    /Can't use .*: .*(?:authorization|expired)/i,
  );
});
