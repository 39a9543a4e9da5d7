import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BoundedMap } from '../../platform/bounded.ts';
import { settledStamp } from '../../platform/files.ts';
import { gitFolder, shortFile } from '../../rules/world/repository.ts';

const MAX_CONFIG_BYTES = 64 << 10;
const REMEMBERED = 200;

/** Names of the repository of a directory, from its remotes. */
type Remotes = (folder: string) => readonly string[];

/** An agent in the repository can change its remotes, so names once seen are kept. */
export function createRemotes(): Remotes {
  const known = new BoundedMap<string, { readonly stamp: string | null; readonly names: readonly string[] }>(
    REMEMBERED,
  );
  return (folder) => {
    const config = configOf(folder);
    const stamp = config === null ? '' : settledStamp(config);
    const before = known.get(folder);
    if (before && stamp !== null && before.stamp === stamp) return before.names;
    const found = config === null ? [] : remotesIn(shortFile(config, MAX_CONFIG_BYTES));
    const names = [...new Set([...(before?.names ?? []), ...found])];
    known.set(folder, { stamp, names });
    return names;
  };
}

function configOf(folder: string): string | null {
  const git = gitFolder(folder);
  if (git === null) return null;
  // A worktree shares its repository's settings.
  const common = join(git, 'commondir');
  return join(existsSync(common) ? resolve(git, shortFile(common).trim()) : git, 'config');
}

/**
 * Parsed line by line, because an agent in the repository can write lines on which a regular expression takes
 * minutes.
 */
function remotesIn(config: string): readonly string[] {
  const lines = config.replaceAll(/\\\r?\n/g, '').split('\n');
  return lines.flatMap((line) => {
    const at = line.indexOf('=');
    // A section may start on the same line.
    const key = line.slice(line.lastIndexOf(']', at) + 1, Math.max(at, 0)).trim();
    const url = line.slice(at + 1).trim();
    return /^(?:push)?url$/i.test(key) && url !== '' ? [remoteName(url)] : [];
  });
}

/** `git@github.com:acme/pay.git` and `https://github.com/acme/pay` are both `github.com/acme/pay`. */
export function remoteName(url: string): string {
  return url
    .replace(/^"|"$/g, '')
    .replace(/^[a-z+]+:\/\//i, '')
    .replace(/^[^@/]*@/, '')
    .replace(/^([^/:]+):(?:\d+\/)?/, '$1/')
    .replace(/\/+/g, '/')
    .replace(/(?:\.git)?\/?$/, '')
    .toLowerCase();
}
