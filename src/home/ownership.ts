import { chmodSync, type Stats, statSync } from 'node:fs';
import { HooklineError } from '../model/errors.ts';
import { shellWord } from '../platform/shell-words.ts';
import type { HomePaths } from './paths.ts';

interface OpenPlace {
  /** For display: the problem, and the affected file or directory. */
  readonly message: string;
  /** The command that fixes it. */
  readonly fix: string;
  /** The file or directory, if we may change its mode. */
  readonly closable: string | null;
}

/**
 * What other users could change in a home. Write access there decides what agents may do, and which code runs as the
 * user. Null if they can change nothing. Symbolic links are resolved first. Windows has no such modes.
 */
export function findWritableByOthers(
  paths: HomePaths,
  user: number | null = process.getuid?.() ?? null,
): OpenPlace | null {
  if (user === null) return null;
  const { root, run, rules, hooks, bin, spool, setup, lastGood, phone } = paths;
  const folders = [root, run, rules, hooks, bin, spool, setup, lastGood, phone];
  // Files in a directory closed to others are out of reach, and editors often make them group-writable.
  const isEntered = ((statSync(root, { throwIfNoEntry: false })?.mode ?? 0) & 0o011) !== 0;
  const files = [
    paths.config,
    paths.hooksFile,
    paths.confirmed,
    paths.trust,
    paths.grants,
    paths.guardHooks,
    paths.scriptKeys,
    paths.devices,
  ];
  for (const path of isEntered ? [...folders, ...files] : folders) {
    const found = statSync(path, { throwIfNoEntry: false });
    const problem = found ? problemOf(path, found, user) : null;
    if (problem) return problem;
  }
  return null;
}

function problemOf(path: string, { uid, mode }: Stats, user: number): OpenPlace | null {
  if (uid !== user) {
    return {
      message: `${path} belongs to another user (${uid}, you are ${user}), who can change your rules.`,
      fix: `If it is yours: sudo chown -R "$(id -un)" ${shellWord(path)}`,
      closable: null,
    };
  }
  if ((mode & 0o022) === 0) return null;
  const shown = (mode & 0o777).toString(8).padStart(4, '0');
  return {
    message: `Other users can write to ${path} (mode ${shown}) and change your rules.`,
    fix: `chmod go-w ${shellWord(path)}`,
    closable: path,
  };
}

/** Removes others' write access, like the fixes above, where we may. */
export function closeHome(paths: HomePaths): void {
  const closed = new Set<string>();
  for (;;) {
    const path = findWritableByOthers(paths)?.closable ?? null;
    if (path === null || closed.has(path)) return;
    closed.add(path);
    chmodSync(path, statSync(path).mode & 0o7755);
  }
}

/** Throws HOME_OPEN if others could have changed the files that are about to be used. */
export function requireOwnHome(paths: HomePaths): void {
  const open = findWritableByOthers(paths);
  if (open) throw new HooklineError('HOME_OPEN', open.message, { hint: open.fix });
}
