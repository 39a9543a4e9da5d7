import { closeSync, constants, openSync, realpathSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { AGENTS } from '../../agents/_registry.ts';
import type { HomePaths } from '../../home/paths.ts';
import { HooklineError, messageOf } from '../../model/errors.ts';
import { followLinks } from '../../platform/files.ts';
import { pathPatterns, placeAt } from '../../rules/match/paths.ts';

/**
 * The file for the last message. Files that control agents are rejected for every caller, because an agent may be the
 * caller and also writes the message. Throws USAGE.
 */
export function lastMessageFile(given: string, paths: HomePaths): string {
  const path = realPath(resolve(given));
  const settings = pathPatterns([...AGENTS.values()].flatMap((agent) => agent.settingsFiles));
  const scope = { home: homedir(), project: process.cwd(), real: (one: string) => one, expand: () => null };
  if (!relative(realPath(paths.root), path).startsWith('..') || settings.touch(placeAt(path), scope) !== null)
    throw new HooklineError(
      'USAGE',
      `The last message can't be written to ${given}, because that file controls what agents may do.`,
      {
        hint: 'Pass another file to --output-last-message.',
      },
    );
  return path;
}

const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = constants;
// Windows has neither, and its links need special rights.
const FLAGS = O_WRONLY | O_CREAT | O_TRUNC | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);

/**
 * Writes to the file that was checked before the run. The agent may have put a link or a pipe there since: links are
 * not followed, and pipes don't block.
 */
export function writeLastMessage(path: string, message: string | null): void {
  try {
    if (realPath(path) !== path)
      throw new Error(`${path} now points to another file than when the agent started`);
    const file = openSync(path, FLAGS);
    try {
      writeFileSync(file, message === null ? '' : `${message}\n`);
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw new HooklineError('NOT_FOUND', `Can't write the last message: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/** The path with links resolved, even if the file doesn't exist yet. */
function realPath(path: string): string {
  const target = followLinks(path);
  try {
    return join(realpathSync(dirname(target)), basename(target));
  } catch {
    return target;
  }
}
