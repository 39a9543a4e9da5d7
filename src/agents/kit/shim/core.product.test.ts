import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Clock, stopClock } from '../../../../test/support/clock.ts';
import { type FakeDaemon, fakeDaemon, fakeDaemonOf } from '../../../../test/support/forwarder.ts';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { until } from '../../../../test/support/until.ts';
import type { NativeAnswer } from '../../../model/native.ts';
import { takeImpostor } from '../../../wire/impostor.ts';
import { SILENT_MS } from '../../../wire/limits.ts';
import { silenceMark } from '../../../wire/silence.ts';
import { socketPath } from '../../../wire/socket-path.ts';
import { createShim, type ShimSettings } from './core.ts';
import { readSeen } from './seen.ts';

const CALL = { session_id: 's', cwd: '/project', command: 'git push' };
const REFUSED = { refuse: 'Nothing could check this.' };

let home: string;
let daemon: FakeDaemon | null;
let clock: Clock;

beforeEach(() => {
  clock = stopClock();
  home = scratchFolder();
  daemon = null;
});

afterEach(async () => {
  await daemon?.close();
});

function settings(changes: Partial<ShimSettings> = {}): ShimSettings {
  return {
    agent: 'fake',
    version: '1.2.3',
    home,
    socket: socketPath(home),
    forwarder: join(home, 'bin', 'hookline-forward'),
    deadlineMs: null,
    failClosed: false,
    refusals: { before: REFUSED },
    ...changes,
  };
}

const shim = (changes: Partial<ShimSettings> = {}) => createShim(settings(changes));

async function daemonThat(onLine: (requestId: string, socket: Socket) => void): Promise<FakeDaemon> {
  daemon = await fakeDaemonOf(home, onLine);
  return daemon;
}

const reply = (id: string, payload: NativeAnswer | object) =>
  `${JSON.stringify({ request_id: id, ts: 0, payload })}\n`;

const busy = (id: string) => `${JSON.stringify({ request_id: id, hold_ms: 600_000 })}\n`;

/** A forwarder that does what the lines of shell say. */
function forwarderThat(script: string): void {
  const { forwarder } = settings();
  mkdirSync(dirname(forwarder), { recursive: true });
  writeFileSync(
    forwarder,
    `#!/bin/sh\ncat > "${home}/forwarded.json"\necho "$1 $2" > "${home}/called"\n${script}\n`,
  );
  chmodSync(forwarder, 0o755);
}

const forwarderCalled = () => until(() => existsSync(join(home, 'called')));

function failureFile(failure: object): void {
  mkdirSync(join(home, 'bin'), { recursive: true });
  writeFileSync(join(home, 'bin', 'forwarder.json'), JSON.stringify(failure));
}

describe('with a daemon', () => {
  test.each<[string, NativeAnswer, object]>([
    ['no decision', { action: 'passthrough' }, {}],
    ['a refusal', { action: 'json_output', stdout_json: { refuse: 'No.' } }, { refuse: 'No.' }],
    ['other arguments', { action: 'json_output', stdout_json: { args: { a: 1 } } }, { args: { a: 1 } }],
    ['the refusal of a dispatcher', { action: 'block_with_stderr', stderr: 'No.\n' }, { refuse: 'No.' }],
  ])('carries over %s', async (_, payload, expected) => {
    const { lines } = await daemonThat((id, socket) => socket.write(reply(id, payload)));
    expect(await shim().ask('before', CALL)).toEqual(expected);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      agent: 'fake',
      event: 'before',
      accepts: ['hold_ms', 'error', 'confirm'],
      payload: { hook_event_name: 'before', ...CALL },
    });
  });

  test("sends the client's run, and no other variables", async () => {
    vi.stubEnv('HOOKLINE_RUN', '0123456789abcdef');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { lines } = await daemonThat((id, socket) => socket.write(reply(id, { action: 'passthrough' })));
    await shim().ask('before', CALL);
    expect(JSON.parse(lines[0] ?? '').env).toEqual({ HOOKLINE_RUN: '0123456789abcdef' });
  });

  test("client data can't name another event", async () => {
    const { lines } = await daemonThat((id, socket) => socket.write(reply(id, { action: 'passthrough' })));
    await shim().ask('before', { ...CALL, hook_event_name: 'after' });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ payload: { hook_event_name: 'before' } });
  });

  test('waits for an approval when the daemon asks it to', async () => {
    await daemonThat((id, socket) => {
      socket.write(`${JSON.stringify({ request_id: id, hold_ms: 60_000 })}\n`);
      socket.write(reply(id, { action: 'json_output', stdout_json: { refuse: 'Said a person.' } }));
    });
    expect(await shim().ask('before', CALL)).toEqual({ refuse: 'Said a person.' });
  });

  test('an earlier report arrives before a later question', async () => {
    const { lines } = await daemonThat((id, socket) => socket.write(reply(id, { action: 'passthrough' })));
    const reporting = shim();
    for (const event of ['one', 'two', 'three']) void reporting.report(event, CALL);
    await reporting.ask('before', CALL);
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(['one', 'two', 'three', 'before']);
  });

  test.each([{ refuse: 7 }, { hookSpecificOutput: { permissionDecision: 'deny' } }, { permission: 'deny' }])(
    'invalid instructions are a failure, not an opinion: %j',
    async (stdout_json) => {
      const nonsense = { action: 'json_output', stdout_json };
      await daemonThat((id, socket) => socket.write(reply(id, nonsense)));
      expect(await shim({ failClosed: true }).ask('before', CALL)).toEqual(REFUSED);
      expect(await shim().ask('before', CALL)).toEqual({});
    },
  );

  test("doesn't use a socket that others could have created", async () => {
    const { lines } = await daemonThat((id, socket) => socket.write(reply(id, { action: 'passthrough' })));
    chmodSync(dirname(socketPath(home)), 0o777);
    forwarderThat(`echo '{"refuse":"By the rules."}'`);
    expect(await shim().ask('before', CALL)).toEqual({ refuse: 'By the rules.' });
    expect(lines).toEqual([]);
  });
});

describe.runIf(process.platform === 'linux')('another process listens', () => {
  beforeEach(() => forwarderThat(`echo '{"refuse":"By the rules."}'`));
  const allowing = (id: string, socket: Socket) => void socket.write(reply(id, { action: 'passthrough' }));

  test("it isn't asked, and the daemon is told about it", async () => {
    mkdirSync(join(home, 'run'), { mode: 0o700 });
    writeFileSync(join(home, 'run', 'lock.db'), '');
    daemon = await fakeDaemon(socketPath(home), allowing);
    expect(await shim().ask('before', CALL)).toEqual({ refuse: 'By the rules.' });
    expect(daemon.lines).toEqual([]);
    expect(takeImpostor(home)).toBe(process.pid);
    expect(takeImpostor(home)).toBeNull();
  });

  test('it may be a daemon that hands over, so it is dialed a second time first', async () => {
    mkdirSync(join(home, 'run'), { mode: 0o700 });
    writeFileSync(join(home, 'run', 'lock.db'), '');
    let dials = 0;
    const server = createServer((socket) => {
      dials += 1;
      socket.on('error', () => {}).destroy();
    });
    await new Promise<void>((resolve) => server.listen(socketPath(home), resolve));
    onTestFinished(() => void server.close());
    expect(await shim().ask('before', CALL)).toEqual({ refuse: 'By the rules.' });
    expect(dials).toBe(2);
  });

  test('if its identity is unknown, the forwarder asks it', async () => {
    daemon = await fakeDaemon(socketPath(home), allowing);
    failureFile({ node: '/no/such/node', script: '/no/such/script.js', env: [] });
    expect(await shim().ask('before', CALL)).toEqual({ refuse: 'By the rules.' });
    expect(daemon.lines).toEqual([]);
  });

  test('it replaces a daemon that was asked before', async () => {
    const asking = shim();
    const first = await daemonThat(allowing);
    expect(await asking.ask('before', CALL)).toEqual({});
    await first.close();
    daemon = await fakeDaemon(socketPath(home), allowing);
    expect(await asking.ask('before', CALL)).toEqual({ refuse: 'By the rules.' });
    expect(daemon.lines).toEqual([]);
    expect(takeImpostor(home)).toBe(process.pid);
  });
});

describe('no daemon', () => {
  test.each<[string, string, object]>([
    ['its instructions count', `echo '{"refuse":"By the rules."}'`, { refuse: 'By the rules.' }],
    ['exit code 2 refuses', 'echo Not this. >&2; exit 2', { refuse: 'Not this.' }],
    ['silence means no decision', 'exit 0', {}],
    ['a failure is the user’s choice', 'exit 1', {}],
    ['nonsense is a failure', 'echo nonsense', {}],
  ])('asks the forwarder: %s', async (_, script, expected) => {
    forwarderThat(script);
    expect(await shim().ask('before', CALL)).toEqual(expected);
    expect(shim().askSync('before', CALL)).toEqual(expected);
    expect(readFileSync(join(home, 'called'), 'utf8')).toBe('fake before\n');
    expect(JSON.parse(readFileSync(join(home, 'forwarded.json'), 'utf8'))).toMatchObject(CALL);
  });

  test.each<[string, string, (id: string, socket: Socket) => void]>([
    ['a connection that breaks', `echo '{"refuse":"By the rules."}'`, (_, socket) => socket.destroy()],
    ['a forwarder that fails', 'exit 1', () => clock.advance(SILENT_MS)],
  ])('%s leads to asking the daemon again, under the same ID', async (_, script, first) => {
    forwarderThat(script);
    const { lines } = await daemonThat((id, socket) => {
      if (lines.length === 1) first(id, socket);
      else socket.write(reply(id, { action: 'json_output', stdout_json: { refuse: 'Said a person.' } }));
    });
    expect(await shim().ask('before', CALL)).toEqual({ refuse: 'Said a person.' });
    const [one, two] = lines.map((line): string => JSON.parse(line).request_id);
    expect(two).toBe(one);
  });

  test('the forwarder evaluates a call if the daemon returns an error', async () => {
    await daemonThat((id, socket) =>
      socket.write(`${JSON.stringify({ request_id: id, ts: 0, error: { code: 'X', message: 'x' } })}\n`),
    );
    forwarderThat(`echo '{"refuse":"By the rules."}'`);
    expect(await shim().ask('before', CALL)).toEqual({ refuse: 'By the rules.' });
  });
});

describe('without a daemon', () => {
  const refusals = { fake: { before: { action: 'json_output', stdout_json: { refuse: 'Closed.' } } } };

  test("the user's choice since setup counts", async () => {
    failureFile({ failure: 'closed', refusals });
    expect(await shim().ask('before', CALL)).toEqual({ refuse: 'Closed.' });
    expect(await shim().ask('after', CALL)).toEqual({});
    failureFile({ failure: 'open' });
    expect(await shim({ failClosed: true }).ask('before', CALL)).toEqual({});
  });

  test("if the files don't know this agent, denies with the answer from setup", async () => {
    failureFile({ failure: 'closed', refusals: {} });
    expect(await shim().ask('before', CALL)).toEqual(REFUSED);
    expect(await shim().ask('after', CALL)).toEqual({});
    failureFile({ failure: 'closed', refusals: { fake: { before: { action: 'nonsense' } } } });
    expect(await shim().ask('before', CALL)).toEqual(REFUSED);
  });

  test('without those files, the choice at setup counts', async () => {
    expect(await shim({ failClosed: true }).ask('before', CALL)).toEqual(REFUSED);
    expect(await shim({ failClosed: true }).ask('after', CALL)).toEqual({});
    expect(await shim().ask('before', CALL)).toEqual({});
  });

  test("a client that doesn't wait gets an answer in time, and no approval is created", async () => {
    const { lines } = await daemonThat(() => {});
    forwarderThat('exec sleep 60');
    const asked = shim({ deadlineMs: 300, failClosed: true }).ask('before', CALL);
    await until(() => lines.length === 1);
    await clock.advance(180);
    await forwarderCalled();
    await clock.advance(120);
    expect(await asked).toEqual(REFUSED);
    expect(JSON.parse(lines[0] ?? '').accepts).toEqual(['busy', 'error']);
  });

  test('a silent daemon is noted, so that the next call waits even less', async () => {
    const { lines } = await daemonThat(() => {});
    mkdirSync(dirname(silenceMark(home)), { recursive: true });
    forwarderThat(`echo '{"refuse":"By the rules."}'`);
    const asked = shim({ deadlineMs: 60_000 }).ask('before', CALL);
    await until(() => lines.length === 1);
    await clock.advance(SILENT_MS);
    expect(await asked).toEqual({ refuse: 'By the rules.' });
    expect(existsSync(silenceMark(home))).toBe(true);
  });

  test("a client that doesn't wait accepts a busy daemon's hold, and gives it part of its time", async () => {
    const { lines } = await daemonThat((id, socket) => socket.write(busy(id)));
    forwarderThat(`echo '{"refuse":"By the rules."}'`);
    const asked = shim({ deadlineMs: 1_000 }).ask('before', CALL);
    await until(() => lines.length === 1);
    await clock.advance(600);
    expect(await asked).toEqual({ refuse: 'By the rules.' });
    expect(lines).toHaveLength(1);
    expect(existsSync(silenceMark(home))).toBe(false);
  });

  test("a client that doesn't wait doesn't wait for earlier reports either", async () => {
    let heard = 0;
    await daemonThat((id, socket) => {
      if (++heard > 1) socket.write(reply(id, { action: 'json_output', stdout_json: { refuse: 'No.' } }));
      else socket.write(busy(id));
    });
    forwarderThat('exec sleep 60');
    const hurried = shim({ deadlineMs: 4_000 });
    let arrived = false;
    void hurried.report('after', CALL);
    const settled = hurried.settled().then(() => {
      arrived = true;
    });
    const asked = hurried.ask('before', CALL);
    await until(() => heard === 1);
    await clock.advance(1_000);
    expect(await asked).toEqual({ refuse: 'No.' });
    expect(arrived).toBe(false);
    await clock.advance(1_400);
    await forwarderCalled();
    await clock.advance(1_600);
    await settled;
  });

  test("denies a payload that isn't JSON, in either failure mode", async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    expect(await shim().ask('before', { ...CALL, circular })).toEqual(REFUSED);
    expect(shim().askSync('before', { ...CALL, circular })).toEqual(REFUSED);
    expect(await shim().ask('after', { ...CALL, circular })).toEqual({});
  });
});

test('reports when it was loaded, and what ran differently than evaluated', () => {
  const loaded = shim();
  expect(readSeen(home, 'fake')).toBeNull();
  loaded.hello('9.9.9');
  expect(readSeen(home, 'fake')).toMatchObject({
    version: '1.2.3',
    client: '9.9.9',
    pid: process.pid,
    changed: 0,
  });
  loaded.changedAfter('bash');
  expect(readSeen(home, 'fake')).toMatchObject({ changed: 1, tool: 'bash' });
});
