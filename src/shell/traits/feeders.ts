import { entryFor } from '../../knowledge/load.ts';

/** True for programs that turn input into arguments: `xargs`, `parallel`. */
export function isFeeder(name: string | null): boolean {
  return name !== null && entryFor(name)?.feeds !== undefined;
}

/** True if the program that runs a command adds more words than the line shows. */
export function isFed(via: readonly string[]): boolean {
  return via.some((name) => entryFor(name)?.feeds === 'words');
}
