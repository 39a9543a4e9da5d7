import { copyFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { scratchPath } from '../../test/support/store/store.ts';
import type { CheckpointWrites } from './checkpoint-worker.ts';
import { checkpointedNow, leaveCheckpoints } from './checkpointed.ts';
import { MOST_PAGES, MOVED_EVERY_PAGES, openCheckpoints } from './checkpoints.ts';
import { openDatabase } from './database/driver.ts';
import { seeFile } from './repair/database-files.ts';

const SCRIPT = new URL('../../dist/checkpoint-worker.cjs', import.meta.url);
/** Doesn't answer until asked to end. */
const HANGS = `data:text/javascript,${encodeURIComponent(
  "import { parentPort } from 'node:worker_threads'; parentPort.on('message', ({ end }) => end && parentPort.close())",
)}`;
const NOWHERE = new URL('file:///nowhere/worker.js');

function opened(script = SCRIPT) {
  const path = scratchPath();
  const db = openDatabase(path);
  leaveCheckpoints(db);
  db.exec('CREATE TABLE t (v)');
  const insert = db.prepare('INSERT INTO t VALUES (zeroblob(3000))');
  const here: number[] = [];
  let resolve: (writes: CheckpointWrites | null) => void = () => {};
  const checkpoints = openCheckpoints({
    path,
    script,
    here: () => {
      const done = checkpointedNow(db);
      here.push(done.moved);
      return done;
    },
    begins: () => {},
    isOpen: () => {},
    ended: (writes) => resolve(writes),
  });
  let isOpen = true;
  const close = () => {
    if (isOpen) db.close();
    isOpen = false;
  };
  onTestFinished(() => {
    checkpoints.stop();
    close();
  });
  return {
    path,
    db,
    close,
    here,
    checkpoints,
    insert: (count: number) => db.transaction(() => Array.from({ length: count }, () => insert.run())),
    /** Reports a write of this size and waits for the other thread. */
    moved: (pages = MOVED_EVERY_PAGES) => {
      const ended = new Promise<CheckpointWrites | null>((done) => {
        resolve = done;
      });
      checkpoints.written(pages);
      return ended;
    },
  };
}

/** Content of the database without its log. */
function movedRows(path: string): number {
  const copy = join(scratchFolder(), 'copy.db');
  copyFileSync(path, copy);
  const db = openDatabase(copy);
  try {
    return Number(db.prepare('SELECT count(*) AS n FROM t').get()?.n);
  } finally {
    db.close();
  }
}

test('another thread checkpoints a long log, and the log restarts', async () => {
  const { path, here, insert, checkpoints, moved } = opened();
  insert(200);
  checkpoints.written(MOVED_EVERY_PAGES - 1);
  const size = statSync(`${path}-wal`).size;
  const writes = await moved(1);
  expect(movedRows(path)).toBe(200);
  expect(writes?.before).not.toEqual(writes?.after);
  expect(writes?.after).toEqual(seeFile(path));
  insert(150);
  expect(statSync(`${path}-wal`).size).toBe(size);
  await moved();
  expect(movedRows(path)).toBe(350);
  expect(here).toEqual([]);
});

test('a log that is never idle is checkpointed here before it grows too long', async () => {
  const { path, here, insert, checkpoints, moved } = opened();
  insert(100);
  const first = moved();
  insert(1);
  checkpoints.written(1);
  await first;
  expect(here).toEqual([]);
  const second = moved();
  checkpoints.written(MOST_PAGES);
  await second;
  expect(here).toHaveLength(1);
  expect(movedRows(path)).toBe(101);
});

test('checkpoints run here if there is no other thread', async () => {
  const { path, here, insert, moved, checkpoints } = opened(NOWHERE);
  insert(10);
  expect(await moved()).toBeNull();
  expect(here).toHaveLength(1);
  insert(10);
  checkpoints.written(MOVED_EVERY_PAGES);
  expect(here).toHaveLength(2);
  expect(movedRows(path)).toBe(20);
});

test("doesn't wait for a thread that takes too long", async () => {
  const { path, here, insert, moved, checkpoints } = opened(new URL(HANGS));
  insert(10);
  const ended = moved();
  checkpoints.written(MOST_PAGES);
  expect(await ended).toBeNull();
  expect(here).toHaveLength(1);
  expect(movedRows(path)).toBe(10);
});

test('a reader that holds the log does not block writing, and the checkpoint is retried later', async () => {
  const { path, db, insert, moved } = opened();
  insert(10);
  checkpointedNow(db);
  const reader = openDatabase(path, { readonly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM t').get();
  insert(20);
  await moved();
  expect(movedRows(path)).toBe(10);
  reader.exec('COMMIT');
  reader.close();
  await moved();
  expect(movedRows(path)).toBe(30);
});

test("doesn't recreate a deleted database", async () => {
  const { path, close, here, moved } = opened();
  close();
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  expect(await moved()).toBeNull();
  expect(here).toEqual([]);
  expect(seeFile(path)).toBeUndefined();
});
