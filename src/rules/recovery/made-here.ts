import type { Facts } from '../facts.ts';

/**
 * Whether a file, or each file of a folder, has come into being in this session: it was not there before, and nothing
 * has changed it since but calls of the session. What is not there yet is made by the call itself, if at all.
 */
export function isMadeHere(place: string, { event, world, memory }: Facts): boolean {
  if (world.isAbsent?.(place)) return true;
  const files = world.filesBelow?.(place, () => false) ?? null;
  return files !== null && files.length > 0 && files.every((file) => memory.made.isMade(event, file, world));
}
