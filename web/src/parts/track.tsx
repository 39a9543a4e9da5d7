import type { JSX } from 'preact';
import type { Bar } from './bars.ts';

const MIDDLE = 22;

/** Bars on one axis. The text next to them says the same. */
export function Track({
  bars,
  grid,
  line,
}: {
  bars: readonly Bar[];
  grid: readonly number[];
  /** Start and end of the activity. */
  line?: readonly [from: number, to: number] | null;
}): JSX.Element {
  return (
    <svg class="track" aria-hidden="true">
      {grid.map((x) => (
        <line key={x} class="grid-line" x1={`${x}%`} x2={`${x}%`} y1="0" y2="44" />
      ))}
      {line && line[1] > line[0] && (
        <rect
          class="bar thinks"
          x={`${line[0]}%`}
          width={`${line[1] - line[0]}%`}
          y={MIDDLE - 2}
          height="4"
        />
      )}
      {bars.map((bar) => (
        <BarShape key={bar.key} bar={bar} />
      ))}
    </svg>
  );
}

function BarShape({ bar: { x, width, look } }: { bar: Bar }): JSX.Element {
  if (look === 'denied')
    return (
      <svg x={`${x}%`} y={MIDDLE - 7} width="14" height="14" overflow="visible" aria-hidden="true">
        <path class="bar denied" d="M0 0 6 7 0 14-6 7z" />
      </svg>
    );
  const turn = look === 'turn';
  return (
    <rect
      class={`bar ${look}`}
      x={`${x}%`}
      width={turn ? '2' : `${width}%`}
      y={MIDDLE - (turn ? 12 : 7)}
      height={turn ? 24 : 14}
      rx={turn ? 0 : 3}
    />
  );
}
