import type { Facts } from '../facts.ts';
import { isAtOrBelow, type Uncommitted } from '../world/uncommitted.ts';
import { isRegenerable } from './regenerable.ts';

/**
 * True if the last commit contains everything at a path, except files that a build makes again. Excludes the root of a
 * tree, which contains the repository itself.
 */
export function isCommitted(
  place: string,
  { root, work, ignored, tracks }: Uncommitted,
  facts: Facts,
): boolean {
  if (!place.startsWith(`${root}/`)) return false;
  const isBelow = isAtOrBelow(place);
  const concerns = (path: string) => isBelow(path) || isAtOrBelow(path)(place);
  return (
    tracks(place) &&
    !work.some(concerns) &&
    ignored.every((path) => !concerns(path) || (isBelow(path) && isRegenerable(path, facts)))
  );
}
