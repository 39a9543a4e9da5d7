// baseline.json: the ratios and counts that a run is compared with. Ratios hold for every machine; counts depend on the
// version of Node (V8, and the driver of the store) and on the system.
import { readFileSync, writeFileSync } from 'node:fs';
import { baselineOf } from './compare.js';
import { countBaselineOf } from './counts.js';

/**
 * @typedef {Readonly<Record<string, number>>} Numbers
 * @typedef {{ ratios: Numbers, counts: Numbers | null }} BenchBaseline `counts` is null where there are none of this Node.
 */

const file = new URL('./baseline.json', import.meta.url);

/** Which of the counts apply here. */
export const here = `Node ${process.versions.node.split('.')[0]} on ${process.platform}`;

export function readBaseline() {
  const { ratios, counts } = JSON.parse(readFileSync(file, 'utf8'));
  const counting = Object.values(counts).flatMap(Object.keys);
  return {
    benches: [...new Set([...Object.keys(ratios), ...counting])],
    /** In CI, counts without a baseline fail. */
    hasCounts: here in counts || Boolean(process.env.CI),
    /** @returns {BenchBaseline} */
    of(bench) {
      const counted = this.hasCounts ? (counts[here]?.[bench] ?? {}) : null;
      return { ratios: ratios[bench] ?? {}, counts: counted };
    },
    /** Stores the bench results and keeps the rest. */
    write(measured) {
      const mine = { ...counts[here] };
      for (const [bench, tries] of measured) {
        setUnlessEmpty(ratios, bench, baselineOf(tries));
        setUnlessEmpty(mine, bench, countBaselineOf(tries));
      }
      const all = { ratios, counts: { ...counts, [here]: mine } };
      writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
    },
  };
}

function setUnlessEmpty(target, key, numbers) {
  if (Object.keys(numbers).length > 0) target[key] = numbers;
}
