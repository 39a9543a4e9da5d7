import { listNames, readOwnFile } from '../../platform/bounded-files.ts';
import { type Config, parseConfig } from '../config.ts';
import type { HomePaths } from '../paths.ts';
import { CONFIG, pathOf } from './names.ts';
import { readState } from './state.ts';

/**
 * The current settings if all files are the confirmed ones, so that nothing is pending. Null if a full check is
 * necessary, which loads all code that reads rules.
 */
export function unchangedConfig(paths: HomePaths): Config | null {
  const state = readState(paths);
  if (state === 'lost') return null;
  const text = readOwnFile(paths.config) ?? '';
  if (state !== null && !isSame(paths, state.files, text)) return null;
  return parseConfig(text, paths.config);
}

const MOST_NAMES = 1_000;

function isSame(paths: HomePaths, agreed: Readonly<Record<string, string>>, config: string): boolean {
  const { [CONFIG]: agreedConfig = '', ...rules } = agreed;
  if (config !== agreedConfig) return false;
  try {
    const names = listNames(paths.rules, MOST_NAMES)?.filter((name) => /\.ya?ml$/.test(name));
    return (
      names?.length === Object.keys(rules).length &&
      Object.entries(rules).every(([name, text]) => readOwnFile(pathOf(paths, name)) === text)
    );
  } catch {
    return false;
  }
}
