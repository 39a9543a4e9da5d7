import type { Database } from './driver.ts';

/** The whole database, without its log. */
export function sizeOf(db: Database): number {
  return pragma(db, 'page_count') * pragma(db, 'page_size');
}

/** The same without free pages. */
export function usedBytes(db: Database): number {
  return (pragma(db, 'page_count') - pragma(db, 'freelist_count')) * pragma(db, 'page_size');
}

function pragma(db: Database, name: string): number {
  return Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0] ?? 0);
}
