import type { Opinion } from '../model/recording.ts';

/** The parts of an opinion that show its cost. */
type Timed = Pick<Opinion, 'kind' | 'by'> & { readonly tookMs: number };

/** The cost of a hook. */
export interface HookCost {
  readonly name: string;
  readonly runs: number;
  readonly failures: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly totalMs: number;
}

/** Cost of hooks, most expensive first, from the stored opinions. */
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

/** The smallest value that this share of the values doesn't exceed. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? 0;
}
