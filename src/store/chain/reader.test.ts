import { expect, onTestFinished, test } from 'vitest';
import { beforeTool, call, scratchPath } from '../../../test/support/store/store.ts';
import type { Database } from '../database/driver.ts';
import { openStore } from '../database/open.ts';
import { createRecorder } from '../record/recorder.ts';
import { openChainReader } from './reader.ts';

function storeOf(count: number): Database {
  const db = openStore(scratchPath());
  onTestFinished(() => db.close());
  const recorder = createRecorder(db, { redact: (text) => text });
  for (let at = 0; at < count; at += 1) recorder.commit(call(recorder.place(beforeTool(`ls ${at}`))));
  return db;
}

const linksOf = (records: readonly { readonly link: number }[]) => records.map(({ link }) => link);

test('continues from any link, in any order', () => {
  const reading = openChainReader(storeOf(30));
  for (const from of [0, 7, 29, 30, 3, 100, 12, 0])
    expect(linksOf(reading.after(from, 4))).toEqual(
      [1, 2, 3, 4].map((step) => from + step).filter((link) => link <= 30),
    );
});

test('skips deleted records anywhere', () => {
  const db = storeOf(30);
  const reading = openChainReader(db);
  expect(linksOf(reading.after(9, 1))).toEqual([10]);
  db.exec('DELETE FROM events WHERE link BETWEEN 5 AND 11 OR link IN (1, 20, 30)');
  for (let from = 0; from <= 31; from += 1) {
    const left = Array.from({ length: 30 }, (_, at) => at + 1).filter(
      (link) => link > from && !(link >= 5 && link <= 11) && ![1, 20, 30].includes(link),
    );
    expect(linksOf(reading.after(from, 40))).toEqual(left);
    expect(linksOf(openChainReader(db).after(from, 3))).toEqual(left.slice(0, 3));
  }
});

test('handles renumbered rows and rows older than the chain', () => {
  const db = storeOf(10);
  const reading = openChainReader(db);
  expect(linksOf(reading.after(0, 5))).toEqual([1, 2, 3, 4, 5]);
  db.exec('UPDATE events SET link = NULL WHERE link <= 3');
  db.exec('UPDATE events SET row = row + 1000');
  expect(linksOf(reading.after(5, 2))).toEqual([6, 7]);
  expect(linksOf(openChainReader(db).after(0, 2))).toEqual([4, 5]);
});
