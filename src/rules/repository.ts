import { existsSync, lstatSync, opendirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readRegularFile } from '../platform/bounded-files.ts';

const MAX_CONFIG_BYTES = 64 << 10;

/** The folder that git keeps a repository in, for a folder in it; null outside of one. */
export function gitFolder(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    const git = join(at, '.git');
    const stat = statSync(git, { throwIfNoEntry: false });
    if (stat?.isDirectory()) return git;
    // A worktree has a file that says where its folder is.
    if (stat?.isFile()) {
      const named = /^gitdir: (.+)$/m.exec(shortFile(git))?.[1];
      return named === undefined ? null : resolve(at, named);
    }
    if (dirname(at) === at) return null;
  }
}

/** Of a repository that somebody may just have cloned, so not whatever is there; empty where it is no such file. */
export function shortFile(path: string, maxBytes: number = 8 << 10): string {
  const read = readRegularFile(path, { within: null, maxBytes });
  return 'content' in read ? read.content.toString('utf8') : '';
}

/**
 * Settings that make `git status` or `git diff` start a program, or that are kept elsewhere. Found by their words
 * alone: a branch that is called like one of them only costs a question.
 */
const STARTS_PROGRAMS =
  /\b(?:fsmonitor(?!\s*=\s*(?:true|false)\s*$)|textconv|external|command|clean|smudge|process|pager|program|driver|hookspath|include|includeif|worktree|worktreeconfig|alternaterefscommand|attributesfile)\b/im;

/**
 * Whether the settings of a repository make git start programs while it reads. They are not cloned with it; but whoever
 * works in it can write them, and what looks like a bare repository brings its own.
 */
export function startsPrograms(folder: string): boolean {
  try {
    if (isInBareRepository(folder)) return true;
    const git = gitFolder(folder);
    if (git === null) return false;
    const shared = existsSync(join(git, 'commondir'))
      ? resolve(git, shortFile(join(git, 'commondir')).trim())
      : git;
    const config = join(shared, 'config');
    if (existsSync(config) && statSync(config).size > MAX_CONFIG_BYTES) return true;
    const text = existsSync(config) ? shortFile(config, MAX_CONFIG_BYTES) : '';
    return STARTS_PROGRAMS.test(text) || existsSync(join(shared, 'hooks', 'post-index-change'));
  } catch {
    return true;
  }
}

function isInBareRepository(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return false;
    if (['HEAD', 'objects', 'refs'].every((name) => existsSync(join(at, name)))) return true;
    if (dirname(at) === at) return false;
  }
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
