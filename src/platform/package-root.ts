import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Directory of this package: above the bundle, or above the sources. */
export const PACKAGE_ROOT: string = rootAbove(dirname(fileURLToPath(import.meta.url)));

/** Directories with executable code, each with a trailing separator. */
export const PROGRAM_FOLDERS: readonly string[] = ['bin', 'dist'].map((name) =>
  join(PACKAGE_ROOT, name, '/'),
);

function rootAbove(folder: string): string {
  return basename(folder) === 'dist' ? dirname(folder) : resolve(folder, '..', '..');
}
