import type { Places } from './named.ts';

const FOLDERS = ['/proc/*/{cwd,root}', '/proc/*/task/*/{cwd,root}'];
/** Not those of the command itself: a shell puts its own files there. */
const FILES = ['/proc/[0-9]*/fd/*', '/proc/[0-9]*/task/*/fd/*'];

/** The folder, the root or an open file of a process, and what is below: which file that is, only the system knows. */
export const PROCESS_LINKS: Places = {
  'process-links': [
    ...[...FOLDERS, '/proc/*/fd/*', '/proc/*/task/*/fd/*', '/dev/fd/*'].map((link) => `${link}/{*,*/**}`),
    ...FILES,
  ],
  'process-folders': FOLDERS,
};
