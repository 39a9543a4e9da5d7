import { mkdirSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fakeDaemon, fakeDaemonOf } from '../../test/support/forwarder.ts';
import { scratchFolder } from '../../test/support/scratch.ts';
import { exchange } from './exchange.ts';
import { askPastHandOver, noteImpostor, refusalOf, socketOwner, takeImpostor } from './impostor.ts';
import { socketPath } from './socket-path.ts';

const isLinux = process.platform === 'linux';
const ownerIn = (home: string) => socketOwner(home, socketPath(home));

test.runIf(isLinux)('the process that has the lock is the daemon', async () => {
  const home = scratchFolder();
  const daemon = await fakeDaemonOf(home, () => {});
  onTestFinished(() => daemon.close());
  expect(ownerIn(home)).toEqual({ kind: 'daemon' });
});

test.runIf(isLinux)("a process that listens without the lock isn't", async () => {
  const home = scratchFolder();
  mkdirSync(join(home, 'run'));
  writeFileSync(join(home, 'run', 'lock.db'), '');
  const daemon = await fakeDaemon(socketPath(home), () => {});
  onTestFinished(() => daemon.close());
  expect(ownerIn(home)).toEqual({ kind: 'impostor', pid: process.pid });
});

test('without a lock or a listener the result is unknown', () => {
  expect(ownerIn(scratchFolder())).toEqual({ kind: 'unknown' });
});

test('reports a note once, whatever is in the file', () => {
  const home = scratchFolder();
  mkdirSync(join(home, 'run'));
  expect(takeImpostor(home)).toBeNull();
  noteImpostor(home, 4711);
  expect([takeImpostor(home), takeImpostor(home)]).toEqual([4711, null]);
  noteImpostor(home, null);
  expect(takeImpostor(home)).toBe(0);
  writeFileSync(join(home, 'run', 'impostor'), '\u001b[31m4711\n');
  expect(takeImpostor(home)).toBe(0);
});

const ALLOW = { action: 'passthrough' };

describe.runIf(isLinux)('another process listens', () => {
  const answering = (id: string, socket: Socket) =>
    void socket.write(`${JSON.stringify({ request_id: id, ts: 0, payload: ALLOW })}\n`);
  const dial = (home: string) =>
    exchange(socketPath(home), Buffer.from('{"request_id":"r"}\n'), 'r', {
      refuse: () => refusalOf(ownerIn(home)),
    });

  test('it was a daemon that hands over: the next one is asked, and nothing is noted', async () => {
    const home = scratchFolder();
    const [leaving, next] = [await leavingDaemon(home), () => fakeDaemonOf(home, answering)];
    let dials = 0;
    const answered = await askPastHandOver(home, async () => {
      dials += 1;
      if (dials === 2) {
        await leaving.close();
        const daemon = await next();
        onTestFinished(() => daemon.close());
      }
      return dial(home);
    });
    expect(answered).toEqual({ answer: ALLOW });
    expect([dials, leaving.lines, takeImpostor(home)]).toEqual([2, [], null]);
  });

  test('it stays: nothing is sent to it, and it is noted', async () => {
    const home = scratchFolder();
    const impostor = await leavingDaemon(home);
    onTestFinished(() => impostor.close());
    expect(await askPastHandOver(home, () => dial(home))).toMatchObject({ answer: null, kind: 'impostor' });
    expect([impostor.lines, takeImpostor(home)]).toEqual([[], process.pid]);
  });

  /** Listens without holding the lock. */
  function leavingDaemon(home: string) {
    mkdirSync(join(home, 'run'), { mode: 0o700 });
    writeFileSync(join(home, 'run', 'lock.db'), '');
    return fakeDaemon(socketPath(home), answering);
  }
});
