import type { JSX } from 'preact';
import type { EventView as Shape } from '../../../src/daemon/web-shapes.ts';
import { timeTaken } from '../../../src/model/text.ts';
import { has } from '../api.ts';
import { moment, sessionLink } from '../format.ts';
import { useAsked } from '../hooks.ts';
import { Await, Code, readable } from '../parts/bits.tsx';
import { RowMarks, RowText } from '../parts/item-row.tsx';
import { ToolDetail, Why } from '../parts/why.tsx';

const isEvent = has<Shape>('id', 'type', 'opinions', 'call', 'story');

/** One event, and why it was decided as it was. */
export function EventView({ id }: { id: string }): JSX.Element {
  const loaded = useAsked(`/api/events/${encodeURIComponent(id)}`, isEvent);
  return (
    <Await loaded={loaded}>
      {(event) => (
        <article class="event">
          <h1>
            <RowText row={event.story} />
          </h1>
          <p>
            <RowMarks row={event.story} />
          </p>
          <p class="meta">
            {moment(event.timestamp)}, {event.source}, {event.type},{' '}
            <a href={sessionLink(event)}>session {event.sessionId.slice(0, 8)}</a>, number {event.sequence},
            took {timeTaken(event.latencyMs)}
            {event.cwd && `, in ${event.cwd}`}
          </p>
          <ToolDetail event={event} />
          <h2>Why</h2>
          <Why event={event} />
          <details>
            <summary>The event</summary>
            <Code label="The event">{readable(event.event)}</Code>
          </details>
          <details>
            <summary>What the agent sent</summary>
            <Code label="What the agent sent">{readable(event.native)}</Code>
          </details>
        </article>
      )}
    </Await>
  );
}
