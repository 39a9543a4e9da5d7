import { join, relative } from 'node:path';
import type { HomePaths } from '../paths.ts';

/** Settings and rules of a home are named by their paths in it. */
export const CONFIG = 'config.yaml';

export function nameOf({ root }: HomePaths, path: string): string {
  return relative(root, path);
}

export function pathOf({ root }: HomePaths, name: string): string {
  return join(root, name);
}
