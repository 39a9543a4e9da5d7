import { entryFor } from '../../knowledge/load.ts';

/** Whether a program gives a command among its words what it reads: `xargs`, `parallel`. */
export function isFeeder(name: string | null): boolean {
  return name !== null && entryFor(name)?.feeds !== undefined;
}

/** Whether a command is run by a program that gives it more words than stand in the line. */
export function isFed(via: readonly string[]): boolean {
  return via.some((name) => entryFor(name)?.feeds === 'words');
}
