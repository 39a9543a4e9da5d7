import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fallback } from '../../src/forwarder/fallback.ts';
import { socketPath } from '../../src/wire/socket-path.ts';
import { createRandom } from '../reliability/random.js';
import { BEST_FORWARDER, BIN, bashPayload, type Product, scratchProduct, until } from './product.ts';

const CLIENTS = 6;
const CALLS_PER_CLIENT = 500;
const FORWARDED_CALLS = 30;
const KILLS = 10;
const SESSIONS = 5;

interface Sent {
  readonly id: string;
  /** The daemon's answer came; without it the call was judged and spooled by the caller, as forwarders do. */
  readonly acknowledged: boolean;
}

/** Sends one line and waits for its answer; null when the daemon went away before. */
function exchange(socketFile: string, id: string, line: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect(socketFile);
    let heard = '';
    const finish = (answer: string | null) => {
      socket.destroy();
      resolve(answer);
    };
    socket.on('connect', () => socket.write(line));
    socket.on('error', () => finish(null));
    socket.on('end', () => finish(null));
    socket.on('data', (chunk) => {
      heard += chunk;
      const last = heard.trimEnd().slice(heard.trimEnd().lastIndexOf('\n') + 1);
      if (heard.endsWith('\n') && !last.includes('"hold_ms"'))
        finish(heard.includes('"payload"') && heard.includes(id) ? heard : null);
    });
  });
}

/** Only whether a process listens. */
function isListening(socketFile: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketFile);
    const finish = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.on('connect', () => finish(true));
    socket.on('error', () => finish(false));
  });
}

/** Of those that were not answered, so many wait for the next daemon; the others go on without one. */
const PATIENT_PERCENT = 90;

async function client(
  product: Product,
  name: string,
  random: (below: number) => number,
  progress: () => void,
): Promise<Sent[]> {
  const { paths } = product;
  const sent: Sent[] = [];
  for (let at = 0; at < CALLS_PER_CLIENT; at += 1) {
    const id = `${name}-${String(at).padStart(4, '0')}`;
    const ts = Date.now();
    const payload = bashPayload(`echo ${id}`, { session_id: `s${at % SESSIONS}`, tool_use_id: id });
    const call = { agent: 'claude', accepts: ['error'], payload: JSON.parse(payload) };
    const line = `${JSON.stringify({ request_id: id, ts, ...call })}\n`;
    const acknowledged = (await exchange(socketPath(paths.root), id, line)) !== null;
    if (!acknowledged) {
      await fallback({
        home: paths.root,
        requestId: id,
        agent: 'claude',
        event: null,
        env: {},
        stdin: Buffer.from(payload),
        ts,
      });
    }
    sent.push({ id, acknowledged });
    progress();
    if (!acknowledged && random(100) < PATIENT_PERCENT) {
      await until('a daemon listens', () => isListening(socketPath(paths.root)));
    }
  }
  return sent;
}

/** Keeps a daemon running, and kills it whenever told so. */
function keepDaemon({ env, folder }: Product) {
  const start = () =>
    spawn(process.execPath, [BIN, 'daemon', '--quiet'], { env, cwd: folder, stdio: 'ignore' });
  let child = start();
  let wanted = true;
  const watchOver = (one: typeof child) =>
    one.on('exit', () => {
      if (!wanted) return;
      child = start();
      watchOver(child);
    });
  watchOver(child);
  return {
    kill: () => void child.kill('SIGKILL'),
    stop: () => {
      wanted = false;
      child.kill('SIGKILL');
    },
  };
}

test('a daemon killed at any moment loses nothing it answered and stores nothing twice', async () => {
  const product = scratchProduct();
  const { hook, paths, run, daemonPid } = product;
  const random = createRandom(20_261_115);
  const before = process.env.HOOKLINE_NO_AUTOSTART;
  process.env.HOOKLINE_NO_AUTOSTART = '1';
  onTestFinished(() => {
    if (before === undefined) delete process.env.HOOKLINE_NO_AUTOSTART;
    else process.env.HOOKLINE_NO_AUTOSTART = before;
  });
  const daemon = keepDaemon(product);
  onTestFinished(() => daemon.stop());
  await until('the daemon answers', async () => (await daemonPid()) !== null);

  // By the number of calls and not by the clock, so that every kill meets calls under way.
  const total = CLIENTS * CALLS_PER_CLIENT;
  const moments = Array.from({ length: KILLS }, () => random(total)).sort((a, b) => a - b);
  let done = 0;
  const progress = () => {
    done += 1;
    while (moments.length > 0 && done >= (moments[0] ?? 0)) {
      moments.shift();
      daemon.kill();
    }
  };
  const forwarded = (async () => {
    let calls = 0;
    while (calls < 3 || (done < total && calls < FORWARDED_CALLS)) {
      const payload = bashPayload('forwarded', { session_id: 's0', tool_use_id: `forwarded-${calls}` });
      const ran = await hook(BEST_FORWARDER, 'PreToolUse', payload, { HOOKLINE_NO_AUTOSTART: '1' });
      expect(ran).toEqual({ code: 0, stdout: '', stderr: '' });
      calls += 1;
    }
    return calls;
  })();
  const clients = Array.from({ length: CLIENTS }, (_, at) => client(product, `c${at}`, random, progress));
  const [forwardedCalls, ...bySocket] = await Promise.all([forwarded, ...clients]);
  const sent = bySocket.flat();
  expect(moments).toEqual([]);
  daemon.stop();
  await until('the daemon is gone', async () => (await daemonPid()) === null);

  const stored = await product.events();
  const times = new Map<string, number>();
  for (const { id } of stored) times.set(id, (times.get(id) ?? 0) + 1);
  const missing = sent.filter(({ id }) => !times.has(id));
  expect(missing).toEqual([]);
  expect([...times].filter(([, count]) => count > 1)).toEqual([]);
  expect(stored).toHaveLength(sent.length + forwardedCalls);
  const uses = new Set(stored.map(({ tool }) => tool?.useId));
  expect(uses.size).toBe(stored.length);
  const places = new Set(stored.map(({ sessionId, sequence }) => `${sessionId} ${sequence}`));
  expect(places.size).toBe(stored.length);

  // Both ways were taken, or the test would have shown nothing.
  const acknowledged = sent.filter((one) => one.acknowledged).length;
  expect(acknowledged).toBeGreaterThan(KILLS);
  expect(sent.length - acknowledged).toBeGreaterThan(KILLS);
  rmSync(join(paths.run, 'daemon.json'), { force: true });
  expect((await run(['up'])).code).toBe(0);
  expect(await product.events()).toHaveLength(stored.length);
}, 300_000);
