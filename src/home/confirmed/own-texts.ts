import { join, relative } from 'node:path';
import { readOwnFile } from '../../platform/bounded-files.ts';
import { listRules, OWN_FILES } from '../../rules/files/folder.ts';
import type { HomePaths } from '../paths.ts';

/** Texts of the settings and rules of a home, by their paths in it. */
type OwnTexts = Readonly<Record<string, string>>;

export const CONFIG = 'config.yaml';

/** What the files say now. One that cannot be read is as good as gone. */
export function readOwnTexts(paths: HomePaths): OwnTexts {
  const files = [paths.config, ...listRules(paths.rules, OWN_FILES, undefined).paths];
  const texts = files.map((path) => [nameOf(paths, path), readText(path)] as const);
  return Object.fromEntries(texts.flatMap(([name, text]) => (text === null ? [] : [[name, text] as const])));
}

export function nameOf({ root }: HomePaths, path: string): string {
  return relative(root, path);
}

export function pathOf({ root }: HomePaths, name: string): string {
  return join(root, name);
}

function readText(path: string): string | null {
  try {
    return readOwnFile(path);
  } catch {
    return null;
  }
}
