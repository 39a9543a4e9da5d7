import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { takeLock } from '../home/daemon/lock.ts';
import { lockWriter } from './lock-writer.ts';

const isLinux = process.platform === 'linux';

test.runIf(isLinux)('finds the process that holds the lock, whichever process is checked first', async () => {
  const other = spawn('sleep', ['600']);
  onTestFinished(() => void other.kill());
  await once(other, 'spawn');
  const database = join(scratchFolder(), 'lock.db');
  const lock = takeLock(database);
  for (const likely of [null, process.pid, other.pid ?? 0, 1, 2 ** 31])
    expect(lockWriter(database, likely)).toBe(process.pid);
  lock?.release();
  for (const likely of [null, process.pid]) expect(lockWriter(database, likely)).toBeNull();
});

test.runIf(isLinux)("a process that only has the file open doesn't hold the lock", () => {
  const folder = scratchFolder();
  const [locked, open] = [join(folder, 'lock.db'), join(folder, 'open.db')];
  const locks = [takeLock(locked), takeLock(open)];
  onTestFinished(() => locks[0]?.release());
  locks[1]?.release();
  expect(lockWriter(open, process.pid)).toBeNull();
});

/** Locks that byte of a file for writing, until it is killed, as any process of the user may. */
const LOCKER = `use Fcntl; $| = 1; open(my $f, '+<', $ARGV[0]) or die; my $l = pack('s s x4 q q i x4', F_WRLCK, 0, $ARGV[1], 1, 0);
fcntl($f, F_SETLK, $l) or die; print "locked"; sleep 600`;

test.runIf(isLinux).each([
  ['', 0x40_00_00_00],
  ['', 0x40_00_00_01],
  ['-shm', 500],
] as const)("a lock on another byte doesn't count: %s %d", async (suffix, byte) => {
  const database = join(scratchFolder(), 'lock.db');
  const lock = takeLock(database);
  const other = spawn('perl', ['-e', LOCKER, database + suffix, String(byte)]);
  onTestFinished(() => void other.kill());
  const [said] = await Promise.race([once(other.stdout, 'data'), once(other, 'exit')]);
  expect(String(said)).toBe('locked');
  expect(lockWriter(database, other.pid)).toBe(process.pid);
  lock?.release();
});

test('a missing database has no writer', () => {
  expect(lockWriter(join(scratchFolder(), 'lock.db'), process.pid)).toBeNull();
});
