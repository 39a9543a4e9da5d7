import type { Places } from './named.ts';

const FOLDERS = ['/proc/*/{cwd,root}', '/proc/*/task/*/{cwd,root}'];
/** Excludes those of the command itself, where a shell puts its own files. */
const FILES = ['/proc/[0-9]*/fd/*', '/proc/[0-9]*/task/*/fd/*'];

/**
 * The directory, root or open files of a process, and everything below. Only the system knows which files those are.
 */
export const PROCESS_LINKS: Places = {
  'process-links': [
    ...[...FOLDERS, '/proc/*/fd/*', '/proc/*/task/*/fd/*', '/dev/fd/*'].map((link) => `${link}/{*,*/**}`),
    ...FILES,
  ],
  'process-folders': FOLDERS,
};
