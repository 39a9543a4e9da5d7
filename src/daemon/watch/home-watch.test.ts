import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openWire, scratchHome, startDaemon, until } from '../../../test/support/daemon/daemon.ts';
import { connect } from '../../client/client.ts';
import { apiSocketPath } from '../../wire/socket-path.ts';

const probe = (id: string) =>
  `${JSON.stringify({ request_id: id, ts: 1, agent: 'hookline', event: 'probe', payload: {} })}\n`;

test('restores a deleted or replaced socket, and open connections continue', async () => {
  const paths = scratchHome();
  const { info } = await startDaemon(paths);
  const open = openWire(info.socket);
  open.send(probe('before'));
  await open.got(1);

  rmSync(info.socket);
  rmSync(apiSocketPath(paths.root));
  await until(() => existsSync(info.socket));
  await until(async () => (await connect(paths)) !== null);
  const again = openWire(info.socket);
  again.send(probe('again'));
  expect(await again.got(1)).toMatchObject([{ request_id: 'again' }]);
  open.send(probe('after'));
  expect(await open.got(2)).toMatchObject([{ request_id: 'before' }, { request_id: 'after' }]);

  rmSync(info.socket);
  writeFileSync(info.socket, '');
  const answers = async () => {
    const wire = openWire(info.socket);
    wire.send(probe('third'));
    await Promise.race([wire.got(1), wire.closed]);
    return wire.lines.length === 1;
  };
  await until(answers);
});

test("restores the daemon's info file", async () => {
  const paths = scratchHome();
  const { info } = await startDaemon(paths);
  rmSync(paths.daemon);
  await until(() => existsSync(paths.daemon));
  expect(JSON.parse(readFileSync(paths.daemon, 'utf8'))).toEqual(info);
});

test.each(['root', 'run', 'lock'] as const)('it stops when its %s is deleted', async (place) => {
  const paths = scratchHome();
  const daemon = await startDaemon(paths);
  rmSync(paths[place], { recursive: true });
  await daemon.stopped;
  expect(existsSync(paths[place])).toBe(false);
});

test('removes nothing from a home that was replaced', async () => {
  const paths = scratchHome();
  const daemon = await startDaemon(paths);
  rmSync(paths.root, { recursive: true });
  mkdirSync(paths.run, { recursive: true });
  for (const file of [paths.lock, paths.daemon, paths.token]) writeFileSync(file, 'of the next daemon');
  await daemon.stopped;
  for (const file of [paths.lock, paths.daemon, paths.token])
    expect(readFileSync(file, 'utf8')).toBe('of the next daemon');
});
