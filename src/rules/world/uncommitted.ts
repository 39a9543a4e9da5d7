import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listGit } from './git-status.ts';
import { isRepository, keepsEnding, ownFolder, startsPrograms } from './repository.ts';

/** What no commit has of a repository. All paths are absolute, those of folders without a slash behind them. */
export interface Uncommitted {
  /** The folder of its tree. */
  readonly root: string;
  /** What was changed, added or removed since the last commit, and what is new. */
  readonly work: readonly string[];
  /** What git is told to leave out. */
  readonly ignored: readonly string[];
  /** Whether the last commit has something at this path or below it, and git would notice a change of all of it. */
  tracks(path: string): boolean;
  /** Other repositories in it, of which it knows nothing, or files that git is told not to look at. */
  readonly hasBlindSpots: boolean;
  /** Whether a file or folder of the repository itself, or that folder, has a name with this ending. */
  keeps(ending: string): boolean;
}

/** Files of a merge, a rebase or another work that was begun: what is in them is in no commit. */
const IN_PROGRESS = [
  ...['index.lock', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'AUTO_MERGE', 'BISECT_LOG'],
  ...['rebase-merge', 'rebase-apply', 'sequencer'],
];

/**
 * Null wherever it is not sure: where there is no repository, while another git is at work, or where its settings make git
 * start programs or look elsewhere.
 */
export function uncommittedIn(root: string): Uncommitted | null {
  try {
    const kept = ownFolder(root);
    if (kept === null || startsPrograms(root)) return null;
    return IN_PROGRESS.some((name) => existsSync(join(kept, name))) ? null : readTree(root);
  } catch {
    return null;
  }
}

const STATUS = [
  'status',
  '--porcelain',
  '-z',
  '--no-renames',
  '--ignored=matching',
  '--untracked-files=normal',
];

function readTree(root: string): Uncommitted {
  const at = (path: string) => join(root, path).replace(/\/$/, '');
  const status = listGit(root, STATUS).map((line) => ({ state: line.slice(0, 2), path: at(line.slice(3)) }));
  const entries = listGit(root, ['ls-files', '--stage', '-v', '-z']).map(entryIn);
  const [plain = [], marked = []] = [true, false].map((is) =>
    entries.filter(({ isPlain }) => isPlain === is).map(({ path }) => at(path)),
  );
  // Git says nothing of what another repository keeps among files that are committed here.
  const nested = foldersOf(plain, root).filter(isRepository);
  const blind = [...marked, ...nested];
  return {
    root,
    work: status.flatMap(({ state, path }) => (state === '!!' ? [] : [path])),
    ignored: status.flatMap(({ state, path }) => (state === '!!' ? [path] : [])),
    hasBlindSpots: blind.length > 0,
    keeps: (ending) => keepsEnding(root, ending),
    tracks: (path) => plain.some(isAtOrBelow(path)) && !blind.some(isAtOrBelow(path)),
  };
}

/** All folders below the root that have one of these files in them. */
function foldersOf(files: readonly string[], root: string): readonly string[] {
  const folders = new Set<string>();
  for (const file of files)
    for (let at = dirname(file); at.length > root.length && !folders.has(at); at = dirname(at))
      folders.add(at);
  return [...folders];
}

/** A repository in which these files are committed, and there is nothing else. */
export function cleanTree(root: string, files: readonly string[]): Uncommitted {
  const all = files.map((file) => join(root, file));
  return {
    root,
    work: [],
    ignored: [],
    hasBlindSpots: false,
    keeps: () => false,
    tracks: (path) => all.some(isAtOrBelow(path)),
  };
}

export function isAtOrBelow(folder: string): (path: string) => boolean {
  return (path) => path === folder || path.startsWith(`${folder}/`);
}

/** `H 100644 <id> 0\t<path>`: another letter is a mark by which git looks away, and another mode no file. */
function entryIn(line: string): { readonly path: string; readonly isPlain: boolean } {
  const tab = line.indexOf('\t');
  return {
    path: line.slice(tab + 1),
    isPlain: /^H 1(?:00644|00755|20000) [\da-f]+ 0$/.test(line.slice(0, tab)),
  };
}
