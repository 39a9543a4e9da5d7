import type { Facts } from '../facts.ts';
import { isAtOrBelow, type Uncommitted } from '../world/uncommitted.ts';
import { isRegenerable } from './regenerable.ts';

/**
 * Whether the last commit has all that is at a place and below it, but for what a build makes again. The root of a
 * tree is not such a place: the repository itself lies in it.
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
