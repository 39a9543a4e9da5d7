// Bits that change on the disk: each place by itself, in a copy of the same record.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { kill, until } from '../home.js';
import { load } from '../lanes.js';

/** @type {import('../fault.js').Fault} */
export const bitFlips = {
  name: 'bits flipped at random places of the database and its log',
  async run({ home, ledger, random, short }) {
    const calls = short ? 50 : 300;
    await load(home, ledger, 'flip', 4, calls);
    // One that ends in order moves its log into the database; one that is killed leaves the log.
    await home.stop();
    await home.start();
    await load(home, ledger, 'flip-again', 4, calls);
    const pid = home.pid();
    kill(pid, 'SIGKILL');
    await until(() => !existsSync(`/proc/${pid}`), 5_000);
    const intact = takeCopy(home.database);
    const expected = contentOf(home.database);
    const found = { harmless: 0, detected: 0, silent: 0 };
    for (let time = 0; time < (short ? 3 : 200); time += 1) {
      putBack(home.database, damaged(intact, random));
      const { code } = await home.hookline('history', 'verify');
      if (code !== 0) found.detected += 1;
      else if (hasAll(expected, contentOf(home.database))) found.harmless += 1;
      else found.silent += 1;
    }
    putBack(home.database, intact);
    const { harmless, detected, silent } = found;
    return {
      remark: `${harmless + detected + silent} places: ${detected} detected, ${harmless} harmless, ${silent} silent`,
      holds: silent === 0,
    };
  },
};

const ENDS = ['', '-wal'];

/** The bytes of the database and its log. */
function takeCopy(path) {
  return ENDS.map((end) => (existsSync(`${path}${end}`) ? readFileSync(`${path}${end}`) : Buffer.alloc(0)));
}

function putBack(path, copy) {
  rmSync(`${path}-shm`, { force: true });
  for (const [at, end] of ENDS.entries()) {
    rmSync(`${path}${end}`, { force: true });
    if (copy[at].length > 0) writeFileSync(`${path}${end}`, copy[at], { mode: 0o600 });
  }
}

/** One bit, or 64 bytes, of one of the files: the larger one is met more often. */
function damaged(intact, random) {
  const copy = intact.map((bytes) => Buffer.from(bytes));
  const [database, log] = copy;
  const place = random(database.length + log.length);
  const [bytes, at] = place < database.length ? [database, place] : [log, place - database.length];
  const isOneBit = random(2) === 0;
  const length = isOneBit ? 1 : 64;
  for (let next = at; next < Math.min(bytes.length, at + length); next += 1)
    bytes[next] ^= isOneBit ? 1 << random(8) : 0xff;
  return copy;
}

/** A digest of each event as it is recorded, by its id; empty where nothing can be read. */
function contentOf(path) {
  const Database = createRequire(import.meta.url)('libsql');
  const digests = new Map();
  try {
    const db = new Database(path);
    try {
      for (const row of db.prepare('SELECT * FROM events').iterate())
        digests.set(row.id, createHash('sha256').update(JSON.stringify(row)).digest('hex'));
    } finally {
      db.close();
    }
  } catch {
    // What was read before the damage was met is all there is.
  }
  return digests;
}

/** More than there was is no harm: a command may have taken in what waited. */
function hasAll(expected, found) {
  return [...expected].every(([id, digest]) => found.get(id) === digest);
}
