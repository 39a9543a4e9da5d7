import type { JSX } from 'preact';
import { timeTaken } from '../../../src/model/text.ts';
import { moment, sessionLink } from '../format.ts';
import { useAsked } from '../hooks.ts';
import { AgentBadge, Await, Chip, useAgentLabel, Where } from '../parts/bits.tsx';
import { CallTabs, isEvent } from '../parts/panel.tsx';

/** One event and its decision. */
export function EventView({ id }: { id: string }): JSX.Element {
  const loaded = useAsked(`/api/events/${encodeURIComponent(id)}`, isEvent);
  return (
    <Await loaded={loaded}>
      {(event) => (
        <article class="event pane">
          <p class="crumb">
            <a class="link" href={`${sessionLink(event)}/${encodeURIComponent(event.story.key)}`}>
              Open session
            </a>
            <AgentBadge source={event.source} />
            <Label source={event.source} />
            <Where place={event.story.place} />
          </p>
          <h1 class="event-title">
            {event.story.name} <code>{event.story.subject}</code>
          </h1>
          <p class="line">
            {event.story.words && <Chip outcome={event.story.outcome}>{event.story.words}</Chip>}
            <span class="quiet sm">
              {moment(event.timestamp)}, took {timeTaken(event.latencyMs)}
            </span>
          </p>
          <h2 class="unseen">Decision</h2>
          <CallTabs decided={event} ended={event} />
        </article>
      )}
    </Await>
  );
}

function Label({ source }: { source: string }): JSX.Element {
  return <span>{useAgentLabel(source)}</span>;
}
