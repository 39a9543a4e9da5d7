import type { JSX } from 'preact';
import { memo } from 'preact/compat';
import { useEffect, useRef, useState } from 'preact/hooks';
import { stateOf } from '../../../src/history/calls.ts';
import type { EventBrief } from '../../../src/history/event-brief.ts';
import { clock, counted, eventLink, sessionLink } from '../format.ts';
import { useLive } from '../hooks.ts';
import { Pill } from './bits.tsx';

const SHOWN = 150;

/** The newest events, time running down. */
export function Feed(): JSX.Element {
  const { state } = useLive();
  const [filter, setFilter] = useState('');
  const [held, setHeld] = useState<readonly EventBrief[] | null>(null);
  const wanted = filter.trim().toLowerCase();
  const all = held ?? state.events;
  const events = (wanted === '' ? all : all.filter((event) => textOf(event).includes(wanted))).slice(-SHOWN);
  return (
    <section class="feed" aria-labelledby="feed-title">
      <div class="bar">
        <h2 id="feed-title">
          Events <span class="count">{state.total.toLocaleString('en')}</span>
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
        <button
          type="button"
          aria-pressed={held !== null}
          onClick={() => setHeld(held ? null : state.events)}
        >
          {held ? 'Resume' : 'Pause'}
        </button>
      </div>
      <Rows events={events}>
        {wanted ? `None of the newest ${counted(all.length, 'event')} has that.` : 'Nothing yet.'}
      </Rows>
    </section>
  );
}

/** Stays at the end until somebody scrolls away from it. Children say why there is none. */
function Rows({ events, children }: { events: readonly EventBrief[]; children: string }): JSX.Element {
  const box = useRef<HTMLElement>(null);
  const atEnd = useRef(true);
  const last = events.at(-1)?.row;
  useEffect(() => {
    if (box.current && atEnd.current) box.current.scrollTop = box.current.scrollHeight;
  }, [last]);
  return (
    <section
      class="rows"
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls.
      tabIndex={0}
      aria-label="The newest events"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < 40;
      }}
    >
      <ol>
        {events.map((event) => (
          <EventRow key={event.row} event={event} />
        ))}
      </ol>
      {events.length === 0 && <p class="quiet">{children}</p>}
    </section>
  );
}

function textOf(event: EventBrief): string {
  return [event.source, event.type, event.tool, event.subject, event.decision, ...event.rules]
    .join(' ')
    .toLowerCase();
}

/** Drawn once: an event never changes. */
export const EventRow = memo(function EventRow({ event }: { event: EventBrief }): JSX.Element {
  const state = stateOf(event);
  return (
    <li class="row">
      <time>{clock(event.timestamp)}</time>
      <a class="agent" href={sessionLink(event)}>
        {event.source}
      </a>
      <a class="what" href={eventLink(event.id)}>
        <span class="type">{event.tool ?? event.type}</span> {event.subject}
      </a>
      <span class="marks">
        {event.outcome && state === 'plain' && (
          <span class="meta">{event.outcome === 'unknown' ? 'ended' : event.outcome}</span>
        )}
        <Pill state={state} />
        {event.degraded > 0 && <span class="pill failed">not delivered</span>}
      </span>
    </li>
  );
});
