// Bits that change on the disk: each place by itself, in a copy of the same record.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { kill, until } from '../home.js';
import { load } from '../lanes.js';
import { saysDamaged } from './database.js';

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
    const intact = join(home.folder, 'intact');
    // Sockets can't be copied, and are unused by now.
    cpSync(home.path, intact, { recursive: true, filter: (path) => !path.endsWith('.sock') });
    const expected = contentOf(home.database);
    const found = { harmless: 0, detected: 0, silent: 0 };
    for (let time = 0; time < (short ? 3 : 200); time += 1) {
      putBack(intact, home.path);
      flip(home.database, random);
      found[await outcomeOf(home, expected)] += 1;
    }
    putBack(intact, home.path);
    const { harmless, detected, silent } = found;
    return {
      remark: `${harmless + detected + silent} places: ${detected} detected, ${harmless} harmless, ${silent} silent`,
      passed: silent === 0,
    };
  },
};

/** Everything, since who notices damage also notes it. */
function putBack(intact, path) {
  rmSync(path, { recursive: true });
  cpSync(intact, path, { recursive: true });
}

/** Changes one bit, or 64 bytes, of one of the files: the larger one is met more often. */
function flip(path, random) {
  const [database, log] = [path, `${path}-wal`].map((file) => ({ file, bytes: readFileSync(file) }));
  const place = random(database.bytes.length + log.bytes.length);
  const isLog = place >= database.bytes.length;
  const { file, bytes } = isLog ? log : database;
  const at = isLog ? place - database.bytes.length : place;
  const isOneBit = random(2) === 0;
  for (let next = at; next < Math.min(bytes.length, at + (isOneBit ? 1 : 64)); next += 1)
    bytes[next] ^= isOneBit ? 1 << random(8) : 0xff;
  writeFileSync(file, bytes);
}

async function outcomeOf(home, expected) {
  if (saysDamaged(await home.hookline('history', 'verify'))) return 'detected';
  return hasAll(expected, contentOf(home.database)) ? 'harmless' : 'silent';
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

/** More is fine: a command may have recorded the spool. */
function hasAll(expected, found) {
  return [...expected].every(([id, digest]) => found.get(id) === digest);
}
