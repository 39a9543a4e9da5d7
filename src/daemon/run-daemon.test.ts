import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  changeSettings,
  openWire,
  scratchHome,
  startDaemon,
  until,
} from '../../test/support/daemon/daemon.ts';
import { beforeTool, call } from '../../test/support/store/store.ts';
import { isLocked, takeLock } from '../home/daemon/lock.ts';
import { createSpoolRecorder } from '../home/intake/spool.ts';
import { openHome } from '../home/open.ts';
import { PACKAGE_ROOT } from '../platform/package-root.ts';
import { countEvents, findEvent, listEvents } from '../store/read/queries.ts';
import { socketPath } from '../wire/socket-path.ts';
import { runDaemon } from './run-daemon.ts';

const request = (id: string, payload: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  `${JSON.stringify({
    request_id: id,
    ts: 1,
    agent: 'claude',
    payload: { session_id: 's', cwd: '/', ...payload },
    ...more,
  })}\n`;
const bash = {
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
  tool_use_id: 't',
};

test('changed settings apply from the next call on', async () => {
  const paths = scratchHome();
  const daemon = await startDaemon(paths);
  let calls = 0;
  const decisionOn = async (command: string) => {
    calls += 1;
    const id = `c${calls}`;
    const payload = { session_id: 's', cwd: '/', ...bash, tool_input: { command }, tool_use_id: id };
    await daemon.hub.call({ id, receivedAt: Date.now(), agent: 'claude', event: null, env: {}, payload });
    return findEvent(daemon.home.db, id)?.response.decision;
  };
  const forced = 'git push --force origin main';
  expect(await decisionOn(forced)).toBe('deny');
  changeSettings(daemon, 'http: {port: 0}\npacks: {git: off}\n');
  expect(await decisionOn(forced)).toBe('none');
  writeFileSync(paths.config, 'http: {port: 0}\npacks: {git: nonsense}\n');
  expect(await decisionOn(forced)).toBe('none');
  writeFileSync(paths.config, 'http: {port: 0}\ndisabledRules: []\n');
  expect(await decisionOn(forced)).toBe('deny');
  await daemon.stop();
});

test('a checkout that a person names may be changed from the next call on', async () => {
  const paths = scratchHome();
  const daemon = await startDaemon(paths);
  const decisionOn = async (id: string) => {
    const tool = { ...bash, tool_input: { command: `cp x.js ${PACKAGE_ROOT}/dist/cli.js` }, tool_use_id: id };
    const payload = { session_id: 's', cwd: '/', ...tool };
    await daemon.hub.call({ id, receivedAt: Date.now(), agent: 'claude', event: null, env: {}, payload });
    return findEvent(daemon.home.db, id)?.response.decision;
  };
  expect(await decisionOn('c1')).toBe('deny');
  changeSettings(daemon, `http: {port: 0}\ndevelop: ${JSON.stringify(PACKAGE_ROOT)}\n`);
  expect(await decisionOn('c2')).not.toBe('deny');
  await daemon.stop();
});

test('durability applies at startup, and a change from the next call on', async () => {
  const paths = scratchHome('http: {port: 0}\ndurability: power\n');
  const daemon = await startDaemon(paths);
  const synchronous = () => daemon.home.db.prepare('PRAGMA synchronous').get()?.synchronous;
  const send = (id: string) => {
    const payload = { session_id: 's', cwd: '/', ...bash, tool_use_id: id };
    return daemon.hub.call({ id, receivedAt: 1, agent: 'claude', event: null, env: {}, payload });
  };
  await send('a');
  expect(synchronous()).toBe(2);
  changeSettings(daemon, 'http: {port: 0}\ndurability: process\n');
  await send('b');
  expect(synchronous()).toBe(1);
});

test('a home has one daemon', async () => {
  const paths = scratchHome();
  const daemon = await startDaemon(paths);
  await expect(runDaemon(paths)).rejects.toMatchObject({ code: 'DAEMON_RUNNING' });
  expect(openHome(paths)).toBeNull();
  const wire = openWire(daemon.info.socket);
  wire.send(request('r1', bash));
  await wire.got(1);
  await daemon.stop();
  expect(isLocked(paths.lock)).toBe(false);
  const next = await startDaemon(paths);
  expect(countEvents(next.home.db)).toBe(1);
});

test('the next daemon reuses the last address, even if the settings name another', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const address = other.address();
  const paths = scratchHome();
  writeFileSync(paths.config, `http: {port: ${typeof address === 'object' ? address?.port : 0}}\n`);
  const first = await startDaemon(paths);
  await first.stop();
  expect((await startDaemon(paths)).info.http).toBe(first.info.http);
});

test('a lock can be acquired, observed and released', async () => {
  const paths = scratchHome();
  const lock = takeLock(paths.lock);
  expect(lock).not.toBeNull();
  expect(isLocked(paths.lock)).toBe(true);
  lock?.release();
  expect(isLocked(paths.lock)).toBe(false);
});

test('its info file exists while it runs, and only this user can read its secrets', async () => {
  const paths = scratchHome();
  const daemon = await startDaemon(paths);
  expect(JSON.parse(readFileSync(paths.daemon, 'utf8'))).toEqual(daemon.info);
  expect(daemon.info).toMatchObject({ pid: process.pid, socket: socketPath(paths.root) });
  expect(statSync(paths.run).mode & 0o777).toBe(0o700);
  for (const path of [paths.daemon, paths.token, paths.database, join(paths.log, 'daemon.log')]) {
    expect(statSync(path).mode & 0o777, path).toBe(0o600);
  }
  await Promise.all([daemon.stop(), daemon.stop(), daemon.stopped]);
  expect(existsSync(paths.daemon)).toBe(false);
  const again = await startDaemon(paths);
  expect(again.token).not.toBe(daemon.token);
});

test('a failed start leaves nothing that keeps the process or the home busy', async () => {
  const paths = scratchHome();
  mkdirSync(socketPath(paths.root), { recursive: true });
  await expect(runDaemon(paths)).rejects.toThrow();
  expect(isLocked(paths.lock)).toBe(false);
  expect(existsSync(paths.daemon)).toBe(false);
  rmSync(socketPath(paths.root), { recursive: true });
  await startDaemon(paths);
});

test("releases the home if the store can't be opened", async () => {
  const paths = scratchHome();
  mkdirSync(paths.database);
  await expect(runDaemon(paths)).rejects.toThrow();
  expect(isLocked(paths.lock)).toBe(false);
});

test('stores spooled events before the daemon answers, and later ones soon after', async () => {
  const paths = scratchHome();
  const spool = createSpoolRecorder(paths.spool);
  spool.commit(call({ ...beforeTool('ls'), id: 'early' }));
  const daemon = await startDaemon(paths);
  expect(listEvents(daemon.home.db).map(({ id }) => id)).toEqual(['early']);
  const seen: string[] = [];
  daemon.hub.feed.subscribe((event) => seen.push(event.id));
  spool.commit(call({ ...beforeTool('ls'), id: 'late' }));
  await until(() => seen.includes('late'));
  expect(listEvents(daemon.home.db).map(({ id }) => id)).toEqual(['early', 'late']);
});

test("a missing or broken spool doesn't end the daemon", async () => {
  const paths = scratchHome();
  const daemon = await startDaemon(paths);
  writeFileSync(join(paths.spool, 'rubbish.json'), '{"event":{}}');
  await until(() => existsSync(join(paths.spool, 'rubbish.json.bad')));
  rmSync(paths.spool, { recursive: true });
  const log = join(paths.log, 'daemon.log');
  await until(() => readFileSync(log, 'utf8').includes("can't read the spool"));
  const wire = openWire(daemon.info.socket);
  wire.send(request('r1', bash));
  expect(await wire.got(1)).toMatchObject([{ payload: { action: 'passthrough' } }]);
});

test('drops an observer that throws and continues with calls', async () => {
  const daemon = await startDaemon(scratchHome());
  daemon.hub.feed.subscribe(() => {
    throw new Error('broken observer');
  });
  const wire = openWire(daemon.info.socket);
  wire.send(request('r1', bash));
  await until(() => daemon.hub.feed.size() === 0);
  wire.send(request('r2', bash));
  expect(await wire.got(2)).toHaveLength(2);
});

test('writes variables to the file that the agent named; if that fails, only they are lost', async () => {
  const paths = scratchHome();
  writeFileSync(
    join(paths.rules, 'a.yaml'),
    'rules: [{on: session_start, context: hello, env: {TEAM: "it\'s us"}}]\n',
  );
  const file = join(paths.root, 'env.sh');
  appendFileSync(file, 'export A=1');
  const daemon = await startDaemon(paths);
  const wire = openWire(daemon.info.socket);
  const start = { hook_event_name: 'SessionStart', source: 'startup' };
  wire.send(request('r1', start, { env: { CLAUDE_ENV_FILE: file } }));
  await wire.got(1);
  expect(readFileSync(file, 'utf8')).toBe("export A=1\nexport TEAM='it'\\''s us'\n");
  wire.send(request('r2', start, { env: { CLAUDE_ENV_FILE: '/nowhere/at/all/env.sh' } }));
  const [, second] = await wire.got(2);
  expect(JSON.stringify(second)).toContain('"additionalContext":"hello"');
  expect(readFileSync(join(paths.log, 'daemon.log'), 'utf8')).toContain("can't write variables");
  const pipe = join(paths.root, 'pipe');
  execFileSync('mkfifo', [pipe]);
  wire.send(request('r3', start, { env: { CLAUDE_ENV_FILE: pipe } }));
  const [, , third] = await wire.got(3);
  expect(JSON.stringify(third)).toContain('"additionalContext":"hello"');
});

test('denials during a full disk are recorded when the daemon stops, if there is room by then', async () => {
  const paths = scratchHome();
  const daemon = await startDaemon(paths);
  // Simulates a full disk: no more pages than now.
  const limit = (pages: number) => daemon.home.db.prepare(`PRAGMA max_page_count = ${pages}`).get();
  limit(1);
  const ids: string[] = [];
  while (daemon.hub.unrecorded.count().waiting === 0) {
    const id = `d${ids.length}`;
    ids.push(id);
    const tool_input = { command: `git push --force origin main # ${'x'.repeat(4_000)}` };
    const payload = { session_id: 's', cwd: '/', ...bash, tool_input, tool_use_id: id };
    await daemon.hub.call({ id, receivedAt: Date.now(), agent: 'claude', event: null, env: {}, payload });
  }
  limit(1_000_000);
  await daemon.stop();
  const again = await startDaemon(paths);
  for (const id of ids) expect(findEvent(again.home.db, id)?.response.decision, id).toBe('deny');
});

test('a call that cannot be stored gets an error and no answer', async () => {
  const daemon = await startDaemon(scratchHome());
  daemon.home.db.exec('DROP TABLE events');
  const wire = openWire(daemon.info.socket);
  wire.send(request('r1', bash));
  const [reply] = await wire.got(1);
  expect(reply).toMatchObject({ request_id: 'r1', error: { code: 'INTERNAL' } });
  expect(reply).not.toHaveProperty('payload');
});

test('the log is redacted', async () => {
  const paths = scratchHome();
  const daemon = await startDaemon(paths);
  const key = `sk-ant-${'x9'.repeat(20)}`;
  daemon.home.log('error', `failed with ${key}`, { header: `Authorization: Bearer ${key}` });
  expect(readFileSync(join(paths.log, 'daemon.log'), 'utf8')).not.toContain(key);
});
