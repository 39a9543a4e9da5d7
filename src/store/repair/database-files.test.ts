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

/** Another thread writes to the database, and something happens around that. */
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

test.each(['before', 'after'] as const)('what others write %s that is found', (when) => {
  const given = watched();
  const files = writtenElsewhere({ [when]: () => given.write() }, given);
  expect(files.look()).toBe('changed');
  expect(files.note()).toBeNull();
  expect(files.look()).toBeNull();
});

test('what others do to the log meanwhile is found, and so is another database', () => {
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

test('unknown writes of the other thread are examined', () => {
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
