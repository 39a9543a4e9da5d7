import { spawn } from 'node:child_process';
import { chmodSync, closeSync, existsSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connection } from '../../../test/support/daemon/peer.ts';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { createPeerFinder } from './peer.ts';

test.skipIf(process.platform !== 'linux')(
  "a process that ended isn't confused with the next one of the same ID",
  async () => {
    const child = spawn('sleep', ['60']);
    const program = join(scratchFolder(), 'peer');
    writeFileSync(program, `#!/bin/sh\necho "${child.pid} ${process.getuid?.()}"\n`);
    chmodSync(program, 0o700);
    const peers = createPeerFinder({ program: () => program, folder: scratchFolder() });
    const socket = await connection();
    expect(await peers.connected(socket)).toBe(child.pid);
    const gone = new Promise((resolve) => child.on('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    expect(await peers.connected(socket)).toBeNull();
    socket.destroy();
  },
);

test('a failing program identifies no peer', async () => {
  for (const program of ['/bin/false', '/nowhere', null]) {
    const peers = createPeerFinder({ program: () => program, folder: scratchFolder() });
    expect(await peers.connected(await connection())).toBeNull();
  }
});

describe.runIf(process.platform === 'linux')('a challenge file', () => {
  test('identifies the process, once', () => {
    const peers = createPeerFinder({ program: () => null, folder: scratchFolder() });
    const { id, file } = peers.challenge() ?? { id: '', file: '' };
    const descriptor = openSync(file, 'r');
    expect(peers.proven(id, process.pid)).toBe(process.pid);
    expect(existsSync(file)).toBe(false);
    expect(peers.proven(id, process.pid)).toBeNull();
    closeSync(descriptor);
  });

  test('is removed, including unanswered ones and those of an earlier daemon', () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'proof-old'), '');
    writeFileSync(join(folder, 'other'), '');
    const peers = createPeerFinder({ program: () => null, folder });
    expect(readdirSync(folder)).toEqual(['other']);
    for (let i = 0; i < 120; i++) peers.challenge();
    expect(readdirSync(folder).length).toBeLessThanOrEqual(51);
    const { id, file } = peers.challenge() ?? { id: '', file: '' };
    const descriptor = openSync(file, 'r');
    expect(peers.proven(id, process.pid)).toBe(process.pid);
    closeSync(descriptor);
  });

  test('doesn’t identify a peer that has not opened it', () => {
    const peers = createPeerFinder({ program: () => null, folder: scratchFolder() });
    const open = () => {
      const { id, file } = peers.challenge() ?? { id: '', file: '' };
      const descriptor = openSync(file, 'r');
      onTestFinished(() => closeSync(descriptor));
      return id;
    };
    // Not the parent, although it exists: only the process that has the file open.
    for (const pid of [process.ppid, 1, 2 ** 22 + 1]) expect(peers.proven(open(), pid)).toBeNull();
    expect(peers.proven('guess', process.pid)).toBeNull();
    const { id } = peers.challenge() ?? { id: '' };
    expect(peers.proven(id, process.pid)).toBeNull();
  });
});
