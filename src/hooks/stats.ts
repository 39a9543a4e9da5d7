import type { Opinion } from '../model/recording.ts';

/** As much of an opinion as tells what it cost. */
type Timed = Pick<Opinion, 'kind' | 'by'> & { readonly tookMs: number };

/** What a hook cost. */
export interface HookCost {
  readonly name: string;
  readonly runs: number;
  readonly failures: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly totalMs: number;
}

/** What hooks cost, the dearest first, from the opinions that were kept. */
export function hookCosts(opinions: Iterable<Timed>): readonly HookCost[] {
  const times = new Map<string, { took: number[]; failures: number }>();
  for (const { by, kind, tookMs } of opinions) {
    const known = times.get(by) ?? { took: [], failures: 0 };
    known.took.push(tookMs);
    if (kind === 'failure') known.failures += 1;
    times.set(by, known);
  }
  return [...times]
    .map(([name, { took, failures }]) => {
      const sorted = took.toSorted((a, b) => a - b);
      return {
        name,
        runs: sorted.length,
        failures,
        p50Ms: quantile(sorted, 0.5),
        p95Ms: quantile(sorted, 0.95),
        totalMs: sorted.reduce((sum, one) => sum + one, 0),
      };
    })
    .toSorted((a, b) => b.totalMs - a.totalMs);
}

/** The smallest value that so many of them do not exceed. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? 0;
}
