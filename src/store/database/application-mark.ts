import { closeSync, readSync } from 'node:fs';
import { openRegularFile } from '../../platform/bounded-files.ts';
import type { Database } from './driver.ts';
import { checkpoint } from './open.ts';

/** Offset of SQLite's application ID. */
const AT = 68;

const HEADER = 'SQLite format 3\0';

/** Reads the application ID of a database without opening it; null if there is no database. */
export function readMark(path: string): number | null {
  const bytes = Buffer.alloc(AT + 4);
  try {
    const file = openRegularFile(path);
    if (file === null) return null;
    try {
      readSync(file, bytes, 0, bytes.length, 0);
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
  return bytes.toString('latin1', 0, HEADER.length) === HEADER ? bytes.readUInt32BE(AT) : null;
}

/** Sets the application ID. On return it is in the file itself. */
export function writeMark(db: Database, mark: number): void {
  if (db.prepare('PRAGMA application_id').get()?.application_id === mark) return;
  db.exec(`PRAGMA application_id = ${mark}`);
  checkpoint(db);
}
