import type { Word } from '../analysis.ts';
import type { Walk } from '../walk.ts';
import { makeWord } from '../word.ts';

/**
 * Where programs are installed for the user. The actual directory depends on the machine, so this is a name that no
 * directory has. The output of `which`, `command -v` and `npm root -g` lies below it.
 */
const PREFIX = '/:prefix:';
const BIN_FOLDER = `${PREFIX}/bin`;
const MODULES = `${PREFIX}/lib/node_modules`;

/** Patterns of installed files that run Hookline. */
export const INSTALLED: readonly string[] = [
  ...['node', 'nodejs', 'hookline', 'hookline-forward'].map((name) => `${BIN_FOLDER}/${name}`),
  ...['hookline', '@hookline'].map((name) => `${MODULES}/${name}/**`),
];

/** The output of `which`: the directory is unknown, but the name is. */
export function whereIs(walk: Walk, words: readonly Word[]): string | undefined {
  const found = words.flatMap(({ text }) => (text ? text.slice(text.lastIndexOf('/') + 1) : []));
  return found.length === 0
    ? undefined
    : found.map((name) => `${folderPath(walk, BIN_FOLDER)}/${name}`).join('\n');
}

const folderPath = (walk: Walk, folder: string): string => walk.nameAmong([makeWord(folder, folder)]);

/** The output of `npm root -g` and similar; undefined for anything else. */
export function globalPlace(walk: Walk, manager: string, words: readonly Word[]): string | undefined {
  const line = words.map(({ text }) => text ?? '').join(' ');
  const isGlobal = /(?:^| )(?:-g|--global|--location=global)(?: |$)/.test(line);
  if (manager === 'yarn' && line === 'global dir')
    return folderPath(walk, MODULES.replace('/node_modules', ''));
  if (manager === 'yarn' && line === 'global bin') return folderPath(walk, BIN_FOLDER);
  if (/^(?:config get|get) prefix(?: |$)/.test(line) || (isGlobal && /(?:^| )prefix(?: |$)/.test(line)))
    return folderPath(walk, PREFIX);
  if (!isGlobal) return undefined;
  if (/(?:^| )root(?: |$)/.test(line)) return folderPath(walk, MODULES);
  return /(?:^| )bin(?: |$)/.test(line) ? folderPath(walk, BIN_FOLDER) : undefined;
}
