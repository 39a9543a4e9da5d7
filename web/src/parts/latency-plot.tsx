import type { JSX } from 'preact';
import type { LatencyPoint } from '../../../src/daemon/web-shapes.ts';
import { timeTaken } from '../../../src/model/text.ts';
import { clock, counted, eventLink } from '../format.ts';
import { Empty } from './bits.tsx';

const WIDTH = 900;
const HEIGHT = 220;
const LEFT = 54;
const BOTTOM = 20;
const TICKS = [0.1, 1, 10, 100, 1_000];
const SLOWEST = 5;

/** What each of the latest calls cost its agent, on a logarithmic scale. Time that people took is left out. */
export function LatencyPlot({ points }: { points: readonly LatencyPoint[] }): JSX.Element {
  const own = points.filter(({ waited }) => !waited);
  const sorted = own.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const first = own[0]?.at ?? 0;
  const last = own.at(-1)?.at ?? 1;
  const x = (time: number) => LEFT + ((time - first) / Math.max(1, last - first)) * (WIDTH - LEFT - 10);
  const y = (ms: number) => {
    const share = (Math.log10(Math.min(1_000, Math.max(0.1, ms))) + 1) / 4;
    return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - 10);
  };
  const slowest = [...own].sort((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  if (own.length === 0)
    return <Empty title="No calls yet.">What each hook call costs its agent is plotted here.</Empty>;
  const summary = `${counted(own.length, 'call')}: half under ${timeTaken(at(0.5))}, 95% under ${timeTaken(at(0.95))}, the slowest ${timeTaken(at(1))}`;
  return (
    <section aria-labelledby="latency-title">
      <h2 id="latency-title">What a hook call costs</h2>
      <p>{summary}</p>
      <svg class="plot" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={summary}>
        {TICKS.map((ms) => (
          <g key={ms}>
            <line class="grid" x1={LEFT} x2={WIDTH - 10} y1={y(ms)} y2={y(ms)} />
            <text x={LEFT - 6} y={y(ms) + 4} text-anchor="end">
              {ms < 1_000 ? `${ms} ms` : '1 s'}
            </text>
          </g>
        ))}
        <text x={LEFT} y={HEIGHT - 3}>
          {clock(first)}
        </text>
        <text x={WIDTH - 10} y={HEIGHT - 3} text-anchor="end">
          {clock(last)}
        </text>
        {own.map((point) => (
          <circle key={point.id} cx={x(point.at)} cy={y(point.ms)} r="2" />
        ))}
      </svg>
      <p class="meta">
        Slowest:{' '}
        {slowest.map(({ id, ms, source, type }) => (
          <a key={id} href={eventLink(id)}>
            {timeTaken(ms)} {source} {type}
          </a>
        ))}
      </p>
    </section>
  );
}
