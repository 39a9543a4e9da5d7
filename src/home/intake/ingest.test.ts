import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { scratchHome } from '../../../test/support/daemon/daemon.ts';
import { beforeTool, call, prompt } from '../../../test/support/store/store.ts';
import type { CallRecord, Recorder } from '../../model/recording.ts';
import { listEvents } from '../../store/read/queries.ts';
import { openHome } from '../open.ts';
import { ingestSpool } from './ingest.ts';
import { createSpoolRecorder } from './spool.ts';

function scratch() {
  const home = openHome(scratchHome());
  if (!home) throw new Error('the home is taken');
  onTestFinished(() => home.close());
  const logged: string[] = [];
  return {
    home,
    logged,
    spool: createSpoolRecorder(home.paths.spool),
    ingest: (recorder: Recorder = home.recorder) =>
      ingestSpool(home.paths.spool, recorder, (_, message) => logged.push(message)),
    stored: () => listEvents(home.db),
    files: () => readdirSync(home.paths.spool).sort(),
  };
}

const named = (id: string): CallRecord => call({ ...beforeTool('ls'), id });

test('ingests spooled calls once, oldest first, with their place in the session', () => {
  const { spool, ingest, stored, files } = scratch();
  for (const id of ['1700000000002-b', '1700000000001-a', '1700000000003-c']) spool.commit(named(id));
  expect(ingest()).toEqual(['1700000000001-a', '1700000000002-b', '1700000000003-c']);
  expect(stored().map(({ id, sequence }) => [id, sequence])).toEqual([
    ['1700000000001-a', 1],
    ['1700000000002-b', 2],
    ['1700000000003-c', 3],
  ]);
  expect(files()).toEqual([]);
  expect(ingest()).toEqual([]);
});

test('a file that reappears after a crash is stored once, and the order stays', () => {
  const { spool, ingest, stored, files } = scratch();
  spool.commit(named('a'));
  ingest();
  spool.commit(named('a'));
  spool.commit(named('b'));
  ingest();
  expect(stored().map(({ id, sequence }) => [id, sequence])).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
  expect(files()).toEqual([]);
});

test('a crash between commit and deletion loses and duplicates nothing', () => {
  const { home, spool, ingest, stored, files } = scratch();
  for (const id of ['a', 'b']) spool.commit(named(id));
  const dying: Recorder = {
    ...home.recorder,
    commit: (record) => {
      home.recorder.commit(record);
      throw new Error('killed');
    },
  };
  ingest(dying);
  expect(files()).toEqual(['a.json', 'b.json']);
  ingest();
  expect(stored().map(({ id, sequence }) => [id, sequence])).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
});

test.each([
  ['half a file', '{"event":'],
  ['no record', '{"hello":"world"}'],
  [
    'an event that lacks what a row needs',
    JSON.stringify({ ...named('x'), event: { id: 'x', type: 'stop' } }),
  ],
  [
    'a tool of the wrong shape',
    JSON.stringify({ ...named('x'), event: { ...prompt(), id: 'x', tool: { name: 1 } } }),
  ],
  ['an empty file', ''],
])('sets %s aside, and ingests the rest', (_, text) => {
  const { home, spool, ingest, stored, files, logged } = scratch();
  writeFileSync(join(home.paths.spool, '0.json'), text);
  spool.commit(named('good'));
  expect(ingest()).toEqual(['good']);
  expect(stored().map(({ id }) => id)).toEqual(['good']);
  expect(files()).toEqual(['0.json.bad']);
  expect(logged).toHaveLength(1);
  expect(ingest()).toEqual([]);
});

test("a call that can't be stored now stays, and doesn't block others", () => {
  const { home, spool, ingest, stored, files } = scratch();
  spool.commit(named('a'));
  spool.commit(named('b'));
  const picky: Recorder = {
    ...home.recorder,
    commit: (record) => {
      if (record.event.id === 'a') throw new Error('disk full');
      return home.recorder.commit(record);
    },
  };
  expect(ingest(picky)).toEqual(['b']);
  expect(files()).toEqual(['a.json']);
  expect(ingest()).toEqual(['a']);
  expect(stored()).toHaveLength(2);
});

test('ignores unfinished files, directories and other entries', () => {
  const { home, ingest, files } = scratch();
  writeFileSync(join(home.paths.spool, '.half.json.4711'), '{');
  writeFileSync(join(home.paths.spool, '.half.json'), '{');
  writeFileSync(join(home.paths.spool, 'notes.txt'), '');
  mkdirSync(join(home.paths.spool, 'folder.json'));
  expect(ingest()).toEqual([]);
  expect(files()).toEqual(['.half.json', '.half.json.4711', 'folder.json', 'notes.txt']);
});

test('the spool contains no secrets', () => {
  const { home, spool } = scratch();
  const key = `ghp_${'Ab1'.repeat(12)}`;
  spool.commit(call({ ...beforeTool(`curl -H "X: ${key}"`), id: 'a' }));
  const file = join(home.paths.spool, 'a.json');
  expect(existsSync(file)).toBe(true);
  expect(readFileSync(file, 'utf8')).not.toContain(key);
});

test('ignores a named pipe in the spool, and ingests the later calls', () => {
  const { home, spool, ingest, files, logged } = scratch();
  execFileSync('mkfifo', [join(home.paths.spool, '1700000000000-a.json')]);
  spool.commit(named('1700000000001-b'));
  expect(ingest()).toEqual(['1700000000001-b']);
  expect(files()).toEqual(['1700000000000-a.json']);
  expect(logged).toEqual([expect.stringContaining('it is not a regular file')]);
});
