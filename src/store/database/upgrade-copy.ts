import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import type { Database } from './driver.ts';

/** Copy of a database made before an upgrade, such as `hookline.version-5.db`. */
export function upgradeCopyPath(path: string, version: number): string {
  return `${path.replace(/\.db$/, '')}.version-${version}.db`;
}

/** Keeps everything in one file, so that the earlier Hookline can be restored. The first copy stays. */
export function keepUpgradeCopy(db: Database, path: string, version: number): void {
  const copy = upgradeCopyPath(path, version);
  if (existsSync(copy)) return;
  const draft = `${copy}.new`;
  rmSync(draft, { force: true });
  // Private, like the database.
  closeSync(openSync(draft, 'wx', 0o600));
  db.prepare('VACUUM INTO ?').run(draft);
  renameSync(draft, copy);
}
