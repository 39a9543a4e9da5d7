import { copyFileSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bashCall, scratchHome, startDaemon } from '../../../../test/support/daemon/daemon.ts';
import { database } from './database.ts';

test('an older database that was put back is not called intact, before a daemon has noticed it and after', async () => {
  const paths = scratchHome();
  const first = await startDaemon(paths);
  await first.hub.call(bashCall('ls'));
  await first.stop();
  const copy = `${paths.database}-copy`;
  copyFileSync(paths.database, copy);
  const second = await startDaemon(paths);
  for (const command of ['ls a', 'ls b']) await second.hub.call(bashCall(command));
  await second.stop();
  expect(database({ paths })).toMatchObject([{ level: 'ok', code: 'database' }]);

  for (const suffix of ['-wal', '-shm']) rmSync(`${paths.database}${suffix}`, { force: true });
  copyFileSync(copy, paths.database);
  const found = { level: 'warning', code: 'history-lost', message: expect.stringContaining('2 records') };
  expect(database({ paths })).toMatchObject([found]);
  await (await startDaemon(paths)).stop();
  expect(database({ paths })).toContainEqual(expect.objectContaining({ code: 'history-lost' }));
  expect(database({ paths })).not.toContainEqual(expect.objectContaining({ code: 'database' }));
});
