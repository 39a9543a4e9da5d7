import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scratchFolder } from './support/scratch.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Copies a package of examples/ to a scratch folder, with this checkout as its `hookline`. */
export function copyExample(name: string): string {
  const folder = join(scratchFolder(), name);
  cpSync(join(root, 'examples', name), folder, { recursive: true });
  linkHookline(folder);
  return folder;
}

/** Makes this checkout the `hookline` that files in the folder import. */
export function linkHookline(folder: string): void {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules', 'hookline'), 'dir');
}
