import { readOwnFile } from '../../platform/bounded-files.ts';
import { listRules, OWN_FILES } from '../../rules/files/folder.ts';
import type { HomePaths } from '../paths.ts';
import { nameOf } from './names.ts';

/** Texts of a home's settings and rules, by path. */
type OwnTexts = Readonly<Record<string, string>>;

/** The current texts. An unreadable file counts as missing. */
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
