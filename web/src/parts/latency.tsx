import type { JSX } from 'preact';
import type { LatencyView } from '../../../src/daemon/web/shapes.ts';
import { timeTaken } from '../../../src/model/text.ts';
import { moment, shortClock } from '../format.ts';

const HEIGHT = 150;
const BOTTOM = 22;
const LEAST = 0.1;
const MOST = 200;
/** The target for the latency of a call. */
const BUDGET = 10;
const TICKS = [0.1, 1, 10, 100];

/** p50 and p95 over time, on a scale on which each step is ten times the one before. */
export function OverTime({ latency }: { latency: LatencyView }): JSX.Element {
  const { buckets, from, to, p50, p95 } = latency;
  const x = (at: number) => ((at - from) / (to - from)) * 100;
  const half = (to - from) / buckets.length / 2;
  const pointsOf = (of: (bucket: LatencyView['buckets'][number]) => number | null) =>
    buckets.flatMap((bucket) => {
      const ms = of(bucket);
      return ms === null ? [] : [`${x(bucket.at + half).toFixed(1)},${y(ms).toFixed(1)}`];
    });
  const words = `Half of the calls under ${took(p50)}, 95% under ${took(p95)}.`;
  const time = to - from > 86_400_000 ? moment : shortClock;
  return (
    <figure class="box chart">
      <figcaption>
        <b>Over time</b>
        <span class="key accent">p50, {took(p50)}</span>
        <span class="key">p95, {took(p95)}</span>
        <span class="right">dashed: {BUDGET} ms target</span>
      </figcaption>
      <svg class="plot" role="img" aria-label={words}>
        <Scale />
        <text x="52" y={HEIGHT - 4}>
          {time(from)}
        </text>
        <text x="100%" y={HEIGHT - 4} text-anchor="end">
          now
        </text>
        {/* Points are in percent, starting to the right of the axis labels. */}
        <svg
          class="curves"
          x="52"
          viewBox={`0 0 100 ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <Curve kind="p95" points={pointsOf((bucket) => bucket.p95)} />
          <Curve kind="p50" points={pointsOf((bucket) => bucket.p50)} />
        </svg>
      </svg>
    </figure>
  );
}

/** The height of a duration on the scale. */
function y(ms: number): number {
  const share = Math.log10(Math.min(MOST, Math.max(LEAST, ms)) / LEAST) / Math.log10(MOST / LEAST);
  return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - 6);
}

function Scale(): JSX.Element {
  return (
    <>
      {TICKS.map((ms) => (
        <g key={ms}>
          <line class="grid-line" x1="52" x2="100%" y1={y(ms)} y2={y(ms)} />
          <text x="44" y={y(ms) + 4} text-anchor="end">
            {ms} ms
          </text>
        </g>
      ))}
      <line class="budget" x1="52" x2="100%" y1={y(BUDGET)} y2={y(BUDGET)} />
    </>
  );
}

/** A single point is drawn as a line to itself. */
function Curve({ kind, points }: { kind: 'p50' | 'p95'; points: readonly string[] }): JSX.Element {
  const [only] = points;
  const drawn = points.length === 1 && only ? [only, only] : points;
  return <polyline class={`curve ${kind}`} points={drawn.join(' ')} />;
}

function took(ms: number | null): string {
  return ms === null ? '–' : timeTaken(ms);
}

/** The distribution of durations; the bar with the median is marked. */
export function Bars({ latency: { bars, calls, p50 } }: { latency: LatencyView }): JSX.Element {
  const most = Math.max(1, ...bars.map((bar) => bar.calls));
  const step = 100 / bars.length;
  const middle = bars.findIndex(({ upTo }) => p50 !== null && (upTo === null || p50 <= upTo));
  const tall = (n: number) => (n / most) * (HEIGHT - BOTTOM - 8);
  const words = `${calls} calls by duration in ms.`;
  return (
    <figure class="box chart">
      <figcaption>
        <b>Distribution</b>
        <span class="right">upper bound in ms; blue: median</span>
      </figcaption>
      <svg class="plot" role="img" aria-label={words}>
        {bars.map(({ upTo, calls: n }, at) => (
          <g key={String(upTo)}>
            <rect
              class={`count-bar ${at === middle ? 'median' : ''}`}
              x={`${at * step + step * 0.06}%`}
              width={`${step * 0.88}%`}
              y={HEIGHT - BOTTOM - tall(n) - 1}
              height={tall(n) + 1}
              rx="2"
            />
            <text x={`${at * step + step / 2}%`} y={HEIGHT - 4} text-anchor="middle">
              {upTo ?? 'more'}
            </text>
          </g>
        ))}
      </svg>
    </figure>
  );
}
