import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { itemsOf } from '../../../src/history/calls.ts';
import type { EventBrief } from '../../../src/history/event-brief.ts';
import { isStory, type Row, rowOf } from '../../../src/history/row.ts';
import { counted } from '../format.ts';
import { useLive, useNow } from '../hooks.ts';
import { ItemRow } from './item-row.tsx';

const SHOWN = 150;
/** A call that never ends becomes unknown after hours: minutes do not matter. */
const LOOK_MS = 60_000;

/** One row a call, time running down. */
export function Feed(): JSX.Element {
  const { state } = useLive();
  const [filter, setFilter] = useState('');
  const [protocol, setProtocol] = useState(false);
  const [held, setHeld] = useState<readonly EventBrief[] | null>(null);
  const wanted = filter.trim().toLowerCase();
  const all = useRows(held ?? state.events, protocol);
  const rows = (wanted === '' ? all : all.filter((row) => textOf(row).includes(wanted))).slice(-SHOWN);
  return (
    <section class="feed" aria-labelledby="feed-title">
      <div class="bar">
        <h2 id="feed-title">
          Calls <span class="count">{state.total.toLocaleString('en')}</span>
          <span class="unseen"> events</span>
        </h2>
        <label class="inline">
          <span class="unseen">Filter</span>
          <input
            type="search"
            placeholder="Filter"
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
        </label>
        <button type="button" aria-pressed={protocol} onClick={() => setProtocol(!protocol)}>
          Protocol
        </button>
        <button
          type="button"
          aria-pressed={held !== null}
          onClick={() => setHeld(held ? null : state.events)}
        >
          {held ? 'Resume' : 'Pause'}
        </button>
      </div>
      <Rows rows={rows}>
        {wanted ? `None of the newest ${counted(all.length, 'row')} has that.` : 'Nothing yet.'}
      </Rows>
    </section>
  );
}

function useRows(events: readonly EventBrief[], protocol: boolean): readonly Row[] {
  const now = useNow(LOOK_MS);
  return useMemo(
    () =>
      itemsOf(events, Math.max(now, Date.now()))
        .filter((item) => protocol || isStory(item))
        .map(rowOf),
    [events, protocol, now],
  );
}

/** Stays at the end until somebody scrolls away from it. Children say why there is none. */
function Rows({ rows, children }: { rows: readonly Row[]; children: string }): JSX.Element {
  const box = useRef<HTMLElement>(null);
  const atEnd = useRef(true);
  const last = rows.at(-1)?.key;
  useEffect(() => {
    if (box.current && atEnd.current) box.current.scrollTop = box.current.scrollHeight;
  }, [last]);
  return (
    <section
      class="rows"
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls.
      tabIndex={0}
      aria-label="The newest calls"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < 40;
      }}
    >
      <ol>
        {rows.map((row) => (
          <ItemRow key={row.key} row={row} />
        ))}
      </ol>
      {rows.length === 0 && <p class="quiet">{children}</p>}
    </section>
  );
}

function textOf({ source, place, name, subject, words }: Row): string {
  return [source, place, name, subject, words].join(' ').toLowerCase();
}
