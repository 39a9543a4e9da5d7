import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { setDurability } from './durability.ts';
import { openStore } from './open.ts';

const NORMAL = 1;
const FULL = 2;

test("power syncs each commit to disk, process doesn't", () => {
  const db = openStore(join(scratchFolder(), 'test.db'));
  const synchronous = () => db.prepare('PRAGMA synchronous').get()?.synchronous;
  expect(synchronous()).toBe(NORMAL);
  setDurability(db, 'power');
  expect(synchronous()).toBe(FULL);
  setDurability(db, 'process');
  expect(synchronous()).toBe(NORMAL);
  db.close();
});
