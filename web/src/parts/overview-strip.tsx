import type { JSX } from 'preact';
import type { Call } from '../../../src/history/calls/calls.ts';
import type { Trace } from '../trace.ts';
import { type Bar, barsOf } from './bars.ts';

const ROWS = 3;

/** The whole session on one strip. A click jumps to the nearest call. */
export function OverviewStrip({
  trace,
  picked,
  onPick,
}: {
  trace: Trace;
  picked: Call | null;
  onPick: (call: Call) => void;
}): JSX.Element {
  const { calls, axis, turns } = trace;
  const jump = (event: MouseEvent & { currentTarget: SVGSVGElement }) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const x = ((event.clientX - left) / width) * 100;
    const away = (call: Call) => Math.abs(axis.x(call.start) - x);
    const [nearest] = [...calls].sort((a, b) => away(a) - away(b));
    if (nearest) onPick(nearest);
  };
  return (
    // For the pointer only: the calls below can be reached by keyboard.
    <svg class="box strip" aria-hidden="true" onClick={jump}>
      {turns.map(({ number, at }) => (
        <line key={number} class="grid-line" x1={`${axis.x(at)}%`} x2={`${axis.x(at)}%`} y1="0" y2="40" />
      ))}
      {calls.flatMap((call, nth) =>
        barsOf([{ kind: 'call', call }], axis.x, call.end ?? call.start).map((bar) => (
          <StripBar key={bar.key} bar={bar} row={nth % ROWS} />
        )),
      )}
      {picked && (
        <line class="here" x1={`${axis.x(picked.start)}%`} x2={`${axis.x(picked.start)}%`} y1="0" y2="40" />
      )}
    </svg>
  );
}

function StripBar({ bar: { x, width, look }, row }: { bar: Bar; row: number }): JSX.Element {
  if (look === 'denied')
    return (
      <svg x={`${x}%`} y="4" width="10" height="10" overflow="visible" aria-hidden="true">
        <path class="bar denied" d="M0 0 5 5 0 10-5 5z" />
      </svg>
    );
  return <rect class={`bar ${look}`} x={`${x}%`} width={`${width}%`} y={16 + row * 7} height="4" rx="1" />;
}
