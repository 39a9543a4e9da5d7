import type { Call } from '../call.ts';
import { marksIn } from '../placeholders.ts';

/** The host that a text was downloaded from, by its marks or its commands; undefined if it was not. */
export function fetchedFrom(
  { walk }: Call,
  sources: readonly number[],
  template: string,
): string | null | undefined {
  for (const origin of walk.originsOf(marksIn(template))) if (origin.kind === 'network') return origin.host;
  if (sources.length === 0) return undefined;
  for (const effect of walk.effects) {
    if (effect.kind === 'network' && sources.includes(effect.command)) return effect.host;
  }
  return undefined;
}
