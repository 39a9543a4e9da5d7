import type { JSX } from 'preact';

const HEIGHT = 20;

/** Hits per day. The total is next to it. */
export function Spark({ days }: { days: readonly number[] }): JSX.Element {
  const most = Math.max(1, ...days);
  const step = 100 / days.length;
  return (
    <svg class="spark" aria-hidden="true">
      {days.map((n, at) => {
        const height = n === 0 ? 1 : Math.max(3, (n / most) * (HEIGHT - 2));
        return (
          <rect
            key={at}
            class={n === 0 ? 'zero' : ''}
            x={`${at * step}%`}
            width={`${step * 0.7}%`}
            y={HEIGHT - height}
            height={height}
          />
        );
      })}
    </svg>
  );
}
