import type { JSX } from 'preact';
import { memo } from 'preact/compat';
import type { Row } from '../../../src/history/row.ts';
import { timeTaken } from '../../../src/model/text.ts';
import { clock, eventLink, sessionLink } from '../format.ts';
import { Pill } from './bits.tsx';

/** A call, or what else happened, on one line with who did it. */
export const ItemRow = memo(
  function ItemRow({ row }: { row: Row }): JSX.Element {
    return (
      <li class="row">
        <time>{clock(row.at)}</time>
        <a class="agent" href={sessionLink(row)}>
          {row.source}
          {row.place && <span class="place"> {row.place}</span>}
        </a>
        <a class="what" href={eventLink(row.id)}>
          <RowText row={row} />
        </a>
        <RowMarks row={row} />
      </li>
    );
  },
  // A row is made anew with each event; it looks the same until these change.
  ({ row: a }, { row: b }) => a.key === b.key && a.words === b.words && a.durationMs === b.durationMs,
);

export function RowText({ row }: { row: Row }): JSX.Element {
  return (
    <>
      <span class="type">{row.name}</span> {row.subject}
    </>
  );
}

/** What became of it, and how long it took. */
export function RowMarks({ row: { outcome, words, durationMs } }: { row: Row }): JSX.Element {
  return (
    <span class="marks">
      <Pill outcome={outcome}>{words}</Pill>
      {durationMs !== null && <span class="meta">{timeTaken(durationMs)}</span>}
    </span>
  );
}
