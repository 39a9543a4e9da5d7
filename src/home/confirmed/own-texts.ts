import { readOwnFile } from '../../platform/bounded-files.ts';
import { listRules, OWN_FILES } from '../../rules/files/folder.ts';
import type { HomePaths } from '../paths.ts';
import { nameOf } from './names.ts';

/** Texts of the settings and rules of a home, by their paths in it. */
type OwnTexts = Readonly<Record<string, string>>;

/** What the files say now. One that cannot be read is as good as gone. */
export function readOwnTexts(paths: HomePaths): OwnTexts {
  const files = [paths.config, ...listRules(paths.rules, OWN_FILES, undefined).paths];
  const texts = files.map((path) => [nameOf(paths, path), readText(path)] as const);
  return Object.fromEntries(texts.flatMap(([name, text]) => (text === null ? [] : [[name, text] as const])));
}

function readText(path: string): string | null {
  try {
    return readOwnFile(path);
  } catch {
    return null;
  }
}
