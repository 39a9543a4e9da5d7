// A disk without room.
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { healedAfter, openHome, scratchFolder } from '../home.js';
import { load } from '../lanes.js';

const SIZE = '48m';

/** A small disk of its own, which only root may make; null where that does not work. */
function mountSmall() {
  const folder = scratchFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder], { stdio: 'pipe' });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
}

function unmount(folder) {
  // Whatever still looks at it loses it when it ends.
  execFileSync('umount', ['--lazy', folder]);
  rmSync(folder, { recursive: true });
}

/** Writes until nothing goes in any more, in ever smaller pieces. */
function fill(path) {
  const file = openSync(path, 'w');
  for (let size = 1 << 20; size > 0; size >>= 1)
    try {
      for (;;) writeSync(file, Buffer.alloc(size));
    } catch {
      // Full for this size.
    }
  closeSync(file);
}

/** @type {import('../fault.js').Fault} */
export const fullDisk = {
  name: 'the disk is full, and then has room again',
  async open() {
    const folder = mountSmall();
    if (folder === null) return { skipped: 'a small disk needs root and mount' };
    const remove = () => unmount(folder);
    try {
      return { home: await openHome(folder, remove) };
    } catch (error) {
      remove();
      throw error;
    }
  },
  async run({ home, ledger, short }) {
    const calls = short ? 20 : 200;
    await load(home, ledger, 'room', 2, calls);
    const filler = join(home.folder, 'filler');
    fill(filler);
    const failedBefore = ledger.failed;
    await load(home, ledger, 'full', 2, calls);
    const failed = ledger.failed - failedBefore;
    rmSync(filler);
    const seconds = await healedAfter(home, performance.now());
    await load(home, ledger, 'again', 2, calls);
    return {
      healed: [seconds],
      remark: `${failed} of ${calls} calls while it was full got no decision`,
      mayFail: true,
      passed: seconds !== null,
    };
  },
};
