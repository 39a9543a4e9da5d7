import type { Facts } from '../facts.ts';

/**
 * True if a file, or each file of a directory, was created in this session: it did not exist before, and only calls of
 * the session changed it. A path that doesn't exist yet can only be created by the call itself.
 */
export function isMadeHere(place: string, { event, world, memory }: Facts): boolean {
  if (world.isAbsent?.(place)) return true;
  const files = world.filesBelow?.(place, () => false) ?? null;
  return files !== null && files.length > 0 && files.every((file) => memory.made.isMade(event, file, world));
}
