import { existsSync, lstatSync, opendirSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { readRegularFile } from '../../platform/bounded-files.ts';
import { foldersUpward } from '../../platform/long-path.ts';

const MAX_CONFIG_BYTES = 64 << 10;

/** The folder that git keeps a repository in, for a folder in it; null outside of one. */
export function gitFolder(folder: string): string | null {
  for (const at of foldersUpward(folder)) {
    const git = `${at === '/' ? '' : at}/.git`;
    // Asked first: most folders have none, and this is the cheaper question.
    const stat = existsSync(git) ? statSync(git, { throwIfNoEntry: false }) : undefined;
    if (stat?.isDirectory()) return git;
    // A worktree has a file that says where its folder is.
    if (stat?.isFile()) {
      const named = /^gitdir: (.+)$/m.exec(shortFile(git))?.[1];
      return named === undefined ? null : resolve(at, named);
    }
  }
  return null;
}

/** The folder of the repository around a folder; null outside of one, and in a worktree that is linked to it. */
export function treeRoot(folder: string): string | null {
  const git = gitFolder(folder);
  if (git === null || basename(git) !== '.git') return null;
  const root = dirname(git);
  return folder === root || folder.startsWith(root === '/' ? root : `${root}/`) ? root : null;
}

/** Where the repository of a tree is kept, if that is in the tree itself. */
export function ownFolder(root: string): string | null {
  const git = join(root, '.git');
  return lstatSync(git).isDirectory() && existsSync(join(git, 'HEAD')) ? git : null;
}

/** Reads a file of an untrusted repository: only a regular file, and only its start. Empty if there is none. */
export function shortFile(path: string, maxBytes: number = 8 << 10): string {
  const read = readRegularFile(path, { within: null, maxBytes });
  return 'content' in read ? read.content.toString('utf8') : '';
}

/**
 * Settings that make `git status` or `git diff` start a program or fetch what is missing, or that are kept elsewhere. Found by their words
 * alone: a branch that is called like one of them only costs a question.
 */
const STARTS_PROGRAMS =
  /\b(?:fsmonitor(?!\s*=\s*(?:true|false)\s*$)|textconv|external|command|clean|smudge|process|pager|program|driver|hookspath|include|includeif|worktree|worktreeconfig|alternaterefscommand|attributesfile|promisor|partialclone)\b/im;

/**
 * True if the repository's settings make git start programs while it reads. A clone doesn't copy them, but any program
 * can write them there, and a bare repository inside the tree brings its own. Git skips a `.git` in which
 * something is missing or wrong, so those of the folders above count as well.
 */
export function startsPrograms(folder: string): boolean {
  try {
    return !isQuiet(folder, MAX_NESTED);
  } catch {
    return true;
  }
}

const MAX_NESTED = 3;
/** What git takes for a repository without a folder around it. */
const IN_BARE = ['HEAD', 'objects', 'refs'];

function isQuiet(folder: string, nested: number): boolean {
  let isBelowGit = false;
  for (const at of foldersUpward(folder)) {
    const below = at === '/' ? '/' : `${at}/`;
    const git = existsSync(`${below}.git`) ? gitFolder(at) : null;
    if (git !== null && !hasQuietSettings(git)) return false;
    // It looks into the repositories that this one has in it, with the settings of each.
    if (
      git !== null &&
      !isBelowGit &&
      !repositoriesIn(git).every((path) => isQuietWithin(join(at, path), nested))
    )
      return false;
    isBelowGit ||= git !== null;
    if (IN_BARE.every((name) => existsSync(below + name))) return false;
  }
  return true;
}

function isQuietWithin(folder: string, nested: number): boolean {
  const git = existsSync(join(folder, '.git')) ? gitFolder(folder) : null;
  if (git === null) return true;
  return (
    nested > 0 &&
    hasQuietSettings(git) &&
    repositoriesIn(git).every((path) => isQuietWithin(join(folder, path), nested - 1))
  );
}

function hasQuietSettings(git: string): boolean {
  const shared = existsSync(join(git, 'commondir'))
    ? resolve(git, shortFile(join(git, 'commondir')).trim())
    : git;
  const config = join(shared, 'config');
  if (existsSync(join(shared, 'hooks', 'post-index-change'))) return false;
  if (!existsSync(config)) return true;
  const read = readRegularFile(config, { within: null, maxBytes: MAX_CONFIG_BYTES });
  return 'content' in read && !STARTS_PROGRAMS.test(read.content.toString('utf8'));
}

const MAX_INDEX_BYTES = 16 << 20;
/** The mode of a repository in another one, among the entries of an index, and how far behind it the name is, by the kind of ids. */
const NESTED_MODE = Buffer.from([0, 0, 0xe0, 0]);
const NAME_AFTER_MODE = [38, 50];
const MAX_REPOSITORIES = 100;

/** Where the index says that other repositories are. Throws where that is unknown. */
function repositoriesIn(git: string): readonly string[] {
  const index = join(git, 'index');
  if (!existsSync(index)) return [];
  const read = readRegularFile(index, { within: null, maxBytes: MAX_INDEX_BYTES });
  if (!('content' in read)) throw new Error(read.refused);
  // The rest of an index that was split is in a file of its own.
  if (readdirSync(git).some((name) => name.startsWith('sharedindex.'))) throw new Error('not understood');
  const { content } = read;
  const found: string[] = [];
  for (let at = content.indexOf(NESTED_MODE); at >= 0; at = content.indexOf(NESTED_MODE, at + 1)) {
    // Later formats shorten names.
    if (content.readUInt32BE(4) > 3 || found.length > MAX_REPOSITORIES) throw new Error('not understood');
    for (const start of NAME_AFTER_MODE.map((far) => at + far))
      found.push(content.toString('utf8', start, Math.max(start, content.indexOf(0, start))));
  }
  return found;
}

const MAX_FILES = 400;
const MAX_FOLDERS = 100;

/**
 * The files below a folder, links among them; the file itself where it is one. Null where there are too many to look
 * at, or not all can be seen.
 */
export function filesBelow(path: string, isSkipped: (name: string) => boolean): readonly string[] | null {
  try {
    return lstatSync(path).isDirectory() ? listBelow(path, isSkipped) : [path];
  } catch {
    return null;
  }
}

function listBelow(root: string, isSkipped: (name: string) => boolean): readonly string[] | null {
  const files: string[] = [];
  const folders = [root];
  for (const folder of folders) {
    const opened = opendirSync(folder);
    try {
      for (let entry = opened.readSync(); entry !== null; entry = opened.readSync()) {
        if (isSkipped(entry.name)) continue;
        (entry.isDirectory() ? folders : files).push(join(folder, entry.name));
        if (files.length > MAX_FILES || folders.length > MAX_FOLDERS) return null;
      }
    } finally {
      opened.closeSync();
    }
  }
  return files;
}

/** The folders of git's objects, whose names have no ending. */
const OF_OBJECTS = /^[\da-f]{2}$/;

/** Whether anything that git keeps has a name with this ending, as packs do and branches may. True where not all can be seen. */
export function keepsEnding(root: string, ending: string): boolean {
  const git = join(root, '.git');
  const last = ending.toLowerCase();
  const has = (path: string) => path.split('/').some((name) => name.toLowerCase().endsWith(last));
  return readdirSync(git).some((name) => {
    const isSkipped = name === 'objects' ? (one: string) => OF_OBJECTS.test(one) : () => false;
    return filesBelow(join(git, name), isSkipped)?.some((file) => has(file.slice(root.length))) ?? true;
  });
}

export const isRepository = (folder: string): boolean => existsSync(join(folder, '.git'));
