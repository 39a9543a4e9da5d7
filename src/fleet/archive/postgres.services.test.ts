import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../../../test/support/daemon/daemon.ts';
import { freshDatabase, testWithPostgres as test } from '../../../test/support/fleet/postgres.ts';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { ownCertificate } from '../../daemon/phone/own-certificate.ts';
import type { DatabaseAddress } from './address.ts';
import { openPostgres } from './postgres.ts';

/** PostgreSQL with a certificate for one name. */
async function withCertificate(name: string) {
  const { address, open } = await freshDatabase();
  const folder = scratchFolder();
  const { certificate, key, authorityFile } = ownCertificate(folder, [name], Date.now());
  const files = { ssl_cert_file: join(folder, 'c.pem'), ssl_key_file: join(folder, 'k.pem') };
  writeFileSync(files.ssl_cert_file, certificate, { mode: 0o600 });
  writeFileSync(files.ssl_key_file, key, { mode: 0o600 });
  const db = await open();
  for (const [setting, path] of Object.entries(files))
    await db.exec(`ALTER SYSTEM SET ${setting} = '${path}'`);
  await db.exec('ALTER SYSTEM SET ssl = on');
  await db.exec('SELECT pg_reload_conf()');
  return { address, authority: readFileSync(authorityFile ?? '', 'utf8') };
}

async function answer(address: DatabaseAddress): Promise<string> {
  try {
    const db = await openPostgres(address);
    const [row] = await db.query(
      'SELECT CASE WHEN ssl THEN version END AS tls FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
    );
    await db.close();
    return String(row?.tls);
  } catch (error) {
    return String(error);
  }
}

test('accepts TLS with a certificate of the configured authority for this host, and no other', async () => {
  const { address, authority } = await withCertificate('localhost');
  const named = { ...address, host: 'localhost', tls: { authority } };
  await until(async () => /^TLSv1/.test(await answer(named)));
  expect(await answer({ ...named, tls: { authority: null } })).toMatch(/Can't use .*: .*certificate/);
  // The same certificate, for another host.
  expect(await answer({ ...named, host: '127.0.0.1' })).toMatch(/Can't use .*: .*does not match/);
});

test('with TLS required, sends no password to a database without TLS', async () => {
  const { address, open } = await freshDatabase();
  const db = await open();
  await db.exec('ALTER SYSTEM SET ssl = off');
  await db.exec('SELECT pg_reload_conf()');
  const wanted = { ...address, host: 'localhost', tls: { authority: null } };
  await until(async () => /does not support SSL/.test(await answer(wanted)));
});

test('stores a transaction completely or not at all', async () => {
  const { open } = await freshDatabase();
  const db = await open();
  await db.exec('CREATE TABLE t (n bigint)');
  const failing = db.transaction(async () => {
    await db.query('INSERT INTO t VALUES ($1)', [1]);
    await db.query('SELECT 1 / 0');
  });
  await expect(failing).rejects.toThrow('division by zero');
  expect(await db.query('SELECT * FROM t')).toEqual([]);
  await db.transaction(() => db.query('INSERT INTO t VALUES ($1)', [Number.MAX_SAFE_INTEGER]));
  expect(await db.query('SELECT * FROM t')).toEqual([{ n: Number.MAX_SAFE_INTEGER }]);
});
