import { constants, copyFileSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const MARK = '.set-aside-';

/** `hookline.set-aside-20261116T183029123Z.db` */
function asideName(path: string, at: Date): string {
  const name = basename(path).replace(/\.db$/, '');
  return join(dirname(path), `${name}${MARK}${at.toISOString().replaceAll(/[-:.]/g, '')}.db`);
}

/** Moves a database and its log away for inspection. Returns the new path; null if there was no database. */
export function setAside(path: string, at: Date = new Date()): string | null {
  const aside = asideName(path, at);
  // Derived from the other two, and useless elsewhere.
  rmSync(`${path}-shm`, { force: true });
  if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${aside}-wal`);
  if (!existsSync(path)) return existsSync(`${aside}-wal`) ? aside : null;
  renameSync(path, aside);
  return aside;
}

/** The same for a database that stays in use. */
export function copyAside(path: string, at: Date = new Date()): string {
  const aside = asideName(path, at);
  copyFileSync(path, aside, constants.COPYFILE_FICLONE);
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${aside}-wal`, constants.COPYFILE_FICLONE);
  return aside;
}

/** Removes it from the list. The files stay for inspection. */
export function markRecovered(aside: string): void {
  const name = aside.replace(MARK, '.recovered-');
  for (const suffix of ['-wal', ''])
    if (existsSync(`${aside}${suffix}`)) renameSync(`${aside}${suffix}`, `${name}${suffix}`);
}

/** Databases set aside that still exist, oldest first. */
export function listSetAside(path: string): readonly string[] {
  const begin = `${basename(path).replace(/\.db$/, '')}${MARK}`;
  try {
    const names = readdirSync(dirname(path)).filter((name) => name.startsWith(begin) && name.endsWith('.db'));
    return names.sort().map((name) => join(dirname(path), name));
  } catch {
    return [];
  }
}
