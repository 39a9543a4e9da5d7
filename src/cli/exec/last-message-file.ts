import { closeSync, constants, openSync, realpathSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { AGENTS } from '../../agents/_registry.ts';
import type { HomePaths } from '../../home/paths.ts';
import { HooklineError, messageOf } from '../../model/errors.ts';
import { followLinks } from '../../platform/files.ts';
import { pathPatterns, placeAt } from '../../rules/match/paths.ts';

/**
 * The file that the last message goes to. Not one that says what agents may do, whoever asks for it: an agent may ask,
 * and it has a say in the message. Throws USAGE.
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
// Windows has neither, and no links that anybody may make.
const FLAGS = O_WRONLY | O_CREAT | O_TRUNC | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);

/**
 * Writes it to what was looked at before the run. The agent worked meanwhile: a link or a pipe that it put there is not
 * followed and not waited for.
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

/** With its links followed, also where the file is not there yet. */
function realPath(path: string): string {
  const target = followLinks(path);
  try {
    return join(realpathSync(dirname(target)), basename(target));
  } catch {
    return target;
  }
}
