import { readFileSync, statSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Database } from '../../src/store/database/driver.ts';
import { asBytes, safeValue } from '../../src/store/database/safe-columns.ts';
import { createRandom } from '../reliability/random.js';
import { crashed, openRecording, overwrite } from '../support/store/guarded.ts';
import { scratchPath } from '../support/store/store.ts';

vi.setConfig({ testTimeout: 600_000 });

/** More places: `HOOKLINE_FLIPS=20000 npx vitest run test/faults/bit-flips.deep.test.ts`; another seed: `HOOKLINE_SEED`. */
const PLACES = Number(process.env.HOOKLINE_FLIPS ?? 200);
const SEED = Number(process.env.HOOKLINE_SEED ?? 20_261_116);
const RECORDS = 70;

/** The files of a process that was killed: one half of the records in the database, the other in the log. */
function killed(): string {
  const { path, record, store } = openRecording(scratchPath());
  onTestFinished(() => store.close());
  record(RECORDS / 2);
  store.db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
  record(RECORDS / 2);
  return crashed(path);
}

const RECORDED = ['events', 'sessions', 'chain_gaps', 'chain_checkpoints', 'approvals', 'waiting_context'];

/** Everything that was recorded, as bytes: what is damaged may be no text any more. */
function contentOf(db: Database): string {
  const tables = RECORDED.map((table) => {
    const columns = db.prepare(`SELECT name FROM pragma_table_info('${table}')`).all();
    const select = columns.map(({ name }) => asBytes(String(name))).join(', ');
    const rows = db.prepare(`SELECT ${select} FROM ${table} ORDER BY 1, 2`).all();
    return rows.map((row) => Object.values(row).map((value) => safeValue(value)));
  });
  return JSON.stringify(tables);
}

interface Outcome {
  readonly by: 'start' | 'verify' | 'structure' | 'error' | null;
  /** Or the error. */
  readonly content: string | null;
}

/** What a start and a check make of the files. */
function examine(path: string): Outcome {
  try {
    const { store, told, problems } = openRecording(path);
    try {
      if (told.length > 0) return { by: 'start', content: null };
      if (problems().length > 0) return { by: 'verify', content: null };
      const said = store.db.prepare('PRAGMA integrity_check').get()?.integrity_check;
      return { by: said === 'ok' ? null : 'structure', content: contentOf(store.db) };
    } finally {
      store.close();
    }
  } catch (error) {
    return { by: 'error', content: String(error) };
  }
}

test(`a bit that flips in one of ${PLACES} places of the database and its log is harmless or found`, () => {
  const random = createRandom(SEED);
  const left = killed();
  const sound = examine(crashed(left));
  expect(sound.by).toBeNull();
  const counts = { harmless: 0, start: 0, verify: 0, structure: 0 };
  const failed: string[] = [];
  const silent: string[] = [];
  for (let place = 0; place < PLACES; place += 1) {
    const path = crashed(left);
    const file = place % 2 === 0 ? path : `${path}-wal`;
    const at = random(statSync(file).size);
    const bit = 1 << random(8);
    overwrite(file, Buffer.from([(readFileSync(file)[at] ?? 0) ^ bit]), at);
    const { by, content } = examine(path);
    if (by === 'error') failed.push(`${file === path ? 'database' : 'log'} at ${at}, bit ${bit}: ${content}`);
    else if (by !== null) counts[by] += 1;
    else if (content === sound.content) counts.harmless += 1;
    else silent.push(`${file === path ? 'database' : 'log'} at ${at}, bit ${bit}`);
  }
  console.log(`${PLACES} places, seed ${SEED}: ${JSON.stringify(counts)}, silent: ${silent.length}`);
  expect(silent).toEqual([]);
  // A start must not fail, whatever it finds.
  expect(failed).toEqual([]);
});
