// What happens to the database under a running daemon.
import {
  closeSync,
  existsSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { healedAfter, settle } from '../home.js';
import { load } from '../lanes.js';

/** @returns {import('../fault.js').Fault} */
function databaseFault(name, damage) {
  return {
    name,
    async run({ home, ledger, random, short }) {
      const calls = short ? 100 : 1_000;
      await load(home, ledger, 'before', 4, calls);
      const before = new Set(ledger.ids());
      const start = performance.now();
      damage(home.database, random);
      await load(home, ledger, 'after', 4, calls);
      const healed = await healedAfter(home, start);
      const isReported = await isReportedBy(home);
      await settle(home);
      await home.stop();
      const remark = recoveredText(await home.hookline('history', 'recover', '--json', '--as-script'));
      return { healed: [healed], isReported, before, remark, passed: healed !== null };
    },
  };
}

/** Fails the trial where the command did not work; that nothing is left to be read is not a failure of it. */
function recoveredText({ code, stdout, stderr }) {
  if (/No data could be read/.test(stderr)) return '`history recover` found nothing to read';
  if (code !== 0) throw new Error(`history recover: ${stderr.trim()}`);
  const files = Object.values(JSON.parse(stdout));
  const records = files.reduce((sum, { recovered, again }) => sum + recovered + again, 0);
  return `\`history recover\` brought back ${records} records`;
}

/** Whether what a command printed, or how it ended, says that something is wrong with the record. */
export function saysDamaged({ code, stdout, stderr }) {
  return code !== 0 || /database of the history|damaged|set aside|missing/i.test(stdout + stderr);
}

/** Whether a command that people look at says so. */
async function isReportedBy(home) {
  return saysDamaged(await home.hookline('status')) || saysDamaged(await home.hookline('history', 'verify'));
}

function overwrite(path, from, bytes, change) {
  const file = openSync(path, 'r+');
  const buffer = Buffer.alloc(bytes);
  readSync(file, buffer, 0, bytes, from);
  writeSync(file, change(buffer), 0, bytes, from);
  closeSync(file);
}

const flipped = (buffer) => buffer.map((byte) => byte ^ 0xff);

export const deleted = databaseFault('the database is deleted', (path) => {
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
});

export const overwritten = databaseFault('the database is overwritten with noise', (path, random) => {
  overwrite(path, 0, statSync(path).size, (buffer) => buffer.map(() => random(256)));
});

export const cutShort = databaseFault('the database is cut to half', (path) => {
  truncateSync(path, Math.floor(statSync(path).size / 2));
});

export const logFlipped = databaseFault('64 bytes of its log (WAL) are flipped', (path, random) => {
  const log = `${path}-wal`;
  if (existsSync(log)) overwrite(log, random(Math.max(1, statSync(log).size - 64)), 64, flipped);
});
