import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { scratchHome, startDaemon, until } from '../../test/support/daemon/daemon.ts';
import { beforeTool, call } from '../../test/support/store/store.ts';
import { takeLock } from '../home/daemon/lock.ts';
import { createSpoolRecorder } from '../home/intake/spool.ts';
import { openHome } from '../home/open.ts';
import { listEvents } from '../store/read/queries.ts';
import { connect, stopDaemon } from './client.ts';
import { followHistory, readHistory } from './history.ts';

const spooled = (id: string) => call({ ...beforeTool('ls'), id });
const idsIn = (paths: ReturnType<typeof scratchHome>) =>
  readHistory(paths, (db) => listEvents(db).map(({ id }) => id));

test('finds a daemon by its socket, and sends the request there', async () => {
  const paths = scratchHome();
  expect(await connect(paths)).toBeNull();
  const daemon = await startDaemon(paths);
  const client = await connect(paths);
  expect(client?.info).toEqual(daemon.info);
  expect(await client?.status()).toMatchObject({ daemon: daemon.info, events: 0 });
  await expect(client?.get('/api/nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await daemon.stop();
  await expect(client?.status()).rejects.toMatchObject({ code: 'DAEMON_UNREACHABLE' });
});

test.each([
  ['half a file', '{"pid":'],
  ['something else', '{"pid":"one"}'],
  [
    'a daemon that is gone',
    JSON.stringify({ pid: 1, version: '0', socket: '/x', http: 'http://127.0.0.1:9', startedAt: 'then' }),
  ],
])('%s in the home is not a daemon', async (_, text) => {
  const paths = scratchHome();
  mkdirSync(paths.run, { recursive: true });
  writeFileSync(paths.daemon, text);
  writeFileSync(paths.token, 'token\n');
  expect(await connect(paths)).toBeNull();
  expect(await stopDaemon(paths)).toBe(false);
});

test("doesn't accept another process on the port of an ended daemon", async () => {
  const paths = scratchHome();
  const server = createServer((_, response) => response.end('{"hello":"world"}'));
  onTestFinished(() => void server.close());
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
  mkdirSync(paths.run, { recursive: true });
  const http = `http://127.0.0.1:${port}`;
  writeFileSync(
    paths.daemon,
    JSON.stringify({ pid: 1, version: '0', socket: '/x', http, startedAt: 'then' }),
  );
  writeFileSync(paths.token, 'token\n');
  expect(await connect(paths)).toBeNull();
});

test('the history includes spooled events, with and without a daemon', async () => {
  const paths = scratchHome();
  const spool = createSpoolRecorder(paths.spool);
  expect(await idsIn(paths)).toEqual([]);
  spool.commit(spooled('a'));
  expect(await idsIn(paths)).toEqual(['a']);
  await startDaemon(paths);
  spool.commit(spooled('b'));
  expect(await idsIn(paths)).toEqual(['a', 'b']);
});

test("a reader waits for a daemon that holds the home but doesn't answer yet", async () => {
  const paths = scratchHome();
  createSpoolRecorder(paths.spool).commit(spooled('a'));
  const starting = openHome(paths);
  expect(starting).not.toBeNull();
  let read: readonly string[] | null = null;
  const reading = idsIn(paths).then((ids) => {
    read = ids;
  });
  for (let turns = 0; turns < 50; turns += 1) await turn();
  expect(read).toBeNull();
  starting?.ingest();
  starting?.close();
  await reading;
  expect(read).toEqual(['a']);
});

test('stop waits for the holder of the home, and then there is nothing to stop', async () => {
  const paths = scratchHome();
  const lock = takeLock(paths.lock);
  let stopped: boolean | null = null;
  const stopping = stopDaemon(paths).then((was) => {
    stopped = was;
  });
  for (let turns = 0; turns < 50; turns += 1) await turn();
  expect(stopped).toBeNull();
  lock?.release();
  await stopping;
  expect(stopped).toBe(false);
});

test('following shows every event after a row, once and in order, from any writer', async () => {
  const paths = scratchHome();
  const spool = createSpoolRecorder(paths.spool);
  spool.commit(spooled('before'));
  const newest = await readHistory(paths, (db) => listEvents(db).at(-1)?.row ?? 0);
  const shown: string[] = [];
  const interrupt = new AbortController();
  const following = followHistory(paths, newest, ({ id }) => shown.push(id), interrupt.signal);
  spool.commit(spooled('without a daemon'));
  await until(() => shown.length === 1);
  const daemon = await startDaemon(paths);
  await until(() => daemon.hub.feed.size() === 1);
  spool.commit(spooled('with a daemon'));
  await until(() => shown.length === 2);
  await daemon.stop();
  spool.commit(spooled('without again'));
  await until(() => shown.length === 3);
  interrupt.abort();
  await following;
  expect(shown).toEqual(['without a daemon', 'with a daemon', 'without again']);
});
