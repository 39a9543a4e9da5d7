import type { JSX } from 'preact';
import { memo } from 'preact/compat';
import type { Row } from '../../../src/history/calls/row.ts';
import { eventLink, shortMoment } from '../format.ts';
import { AgentBadge, Chip, Where } from './bits.tsx';

/** Calls of several sessions, one per line. */
export function RowList({ rows }: { rows: readonly Row[] }): JSX.Element {
  return (
    <ol class="box rows">
      {rows.map((row) => (
        <RowLine key={row.key} row={row} />
      ))}
    </ol>
  );
}

const RowLine = memo(
  function RowLine({ row }: { row: Row }): JSX.Element {
    return (
      <li>
        <a class="row" href={eventLink(row.id)}>
          <span class="quiet">{shortMoment(row.at)}</span>
          <AgentBadge source={row.source} />
          <Where place={row.place} />
          <span class="subject cut">
            <span class="quiet">{row.name}</span> <code>{row.subject}</code>
          </span>
          {row.words && <Chip outcome={row.outcome}>{row.words}</Chip>}
        </a>
      </li>
    );
  },
  // Rows are rebuilt with each event, but look the same until these fields change.
  ({ row: a }, { row: b }) => a.key === b.key && a.words === b.words,
);
