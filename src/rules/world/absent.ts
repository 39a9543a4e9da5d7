import { basename, dirname } from 'node:path';
import type { World } from '../facts.ts';

/** Whether it is sure that nothing has this name, rather than that it cannot be seen. */
export function isAbsent(
  path: string,
  { changedAt, namesIn }: Pick<World, 'changedAt' | 'namesIn'>,
): boolean {
  if (!changedAt || changedAt(path) !== null) return false;
  let at = path;
  while (dirname(at) !== at && changedAt(dirname(at)) === null) at = dirname(at);
  return namesIn?.(dirname(at))?.includes(basename(at)) === false;
}
