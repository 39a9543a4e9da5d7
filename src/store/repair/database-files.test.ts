import { appendFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { scratchPath } from '../../../test/support/store/store.ts';
import { seeFile, watchDatabaseFiles } from './database-files.ts';

function watched() {
  const path = scratchPath();
  writeFileSync(path, 'database');
  writeFileSync(`${path}-wal`, 'log');
  const files = watchDatabaseFiles(path);
  onTestFinished(() => files.close());
  return { path, files, write: (to = path) => appendFileSync(to, '.') };
}

/** Another thread writes to the database while something else happens. */
function writtenElsewhere(
  happen: { before?(): void; meanwhile?(): void; after?(): void },
  { path, files, write } = watched(),
) {
  files.begins();
  happen.before?.();
  const before = seeFile(path);
  write();
  happen.meanwhile?.();
  write();
  const after = seeFile(path);
  happen.after?.();
  files.ended({ before, after });
  return files;
}

test("doesn't report writes of another own thread as tampering, even during a write", () => {
  const given = watched();
  const files = writtenElsewhere(
    {
      meanwhile: () => {
        expect(given.files.look()).toBeNull();
        given.write(`${given.path}-wal`);
        expect(given.files.note()).toBeNull();
      },
    },
    given,
  );
  expect(files.look()).toBeNull();
  expect(files.note()).toBeNull();
  given.write();
  expect(files.look()).toBe('changed');
});

test.each(['before', 'after'] as const)('detects writes by others %s that', (when) => {
  const given = watched();
  const files = writtenElsewhere({ [when]: () => given.write() }, given);
  expect(files.look()).toBe('changed');
  expect(files.note()).toBeNull();
  expect(files.look()).toBeNull();
});

test('detects changes by others to the log in the meantime, and a replaced database', () => {
  const given = watched();
  writtenElsewhere(
    {
      meanwhile: () => {
        given.write(`${given.path}-wal`);
        expect(given.files.look()).toBe('changed');
        renameSync(given.path, `${given.path}.away`);
        writeFileSync(given.path, 'another');
        expect(given.files.look()).toBe('moved');
      },
    },
    given,
  );
});

test('examines unknown writes of the other thread', () => {
  const { files, write } = watched();
  files.begins();
  write();
  files.ended(null);
  expect(files.look()).toBe('changed');
});

test("doesn't report the log's time after opening as tampering, but reports added data", () => {
  const { path, files, write } = watched();
  const touch = () => utimesSync(`${path}-wal`, new Date(), new Date());
  files.begins();
  touch();
  expect(files.look()).toBeNull();
  files.isOpen();
  expect(files.look()).toBeNull();
  files.begins();
  write(`${path}-wal`);
  files.isOpen();
  expect(files.look()).toBe('changed');
});
