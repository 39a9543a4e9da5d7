import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scratchFolder } from './support/scratch.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** A package of examples/, in a folder of its own where this checkout is its `hookline`. */
export function copyExample(name: string): string {
  const folder = join(scratchFolder(), name);
  cpSync(join(root, 'examples', name), folder, { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules', 'hookline'), 'dir');
  return folder;
}
