import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SessionView as Shape } from '../../../src/daemon/web-shapes.ts';
import { type Call, type Item, stateOf, type Turn, turnsOf } from '../../../src/history/calls.ts';
import type { EventBrief } from '../../../src/history/event-brief.ts';
import type { EventDetail } from '../../../src/history/event-detail.ts';
import { has } from '../api.ts';
import { clock, counted, eventLink, moment, span } from '../format.ts';
import { useAsked, useLive } from '../hooks.ts';
import { sessionKey } from '../live.ts';
import { Await, Pill } from '../parts/bits.tsx';
import { Card } from '../parts/card.tsx';
import { ToolDetail, Why } from '../parts/why.tsx';

const isView = has<Shape>('session', 'events');
const isEvent = has<EventDetail>('id', 'type', 'opinions', 'call');

/** One session, turn by turn. */
export function SessionView({ source, id }: { source: string; id: string }): JSX.Element {
  const { state } = useLive();
  const newest =
    state.events.findLast((event) => event.source === source && event.sessionId === id)?.row ?? 0;
  const loaded = useAsked(
    `/api/sessions/${encodeURIComponent(source)}/${encodeURIComponent(id)}`,
    isView,
    newest,
  );
  const cards = state.pending.filter((card) => sessionKey(card) === `${source}/${id}`);
  return (
    <Await loaded={loaded}>
      {({ session, events, cut }) => (
        <article class="session">
          <h1>{session.intent ?? `Session ${id.slice(0, 8)}`}</h1>
          <dl class="facts">
            <Fact
              name="Agent"
              value={state.about.agents.find((agent) => agent.id === source)?.label ?? source}
            />
            <Fact name="Folder" value={session.cwd ?? '–'} />
            <Fact name="Session" value={id} />
            <Fact name="Began" value={moment(session.startedAt)} />
            <Fact name="Took" value={span(Math.max(0, session.lastAt - session.startedAt))} />
            <Fact name="Prompts" value={String(session.promptNumber)} />
            <Fact name="Tool calls" value={String(session.toolNumber)} />
            <Fact name="State" value={session.endedAt === null ? 'open' : 'ended'} />
          </dl>
          {cut && <p class="quiet">Only the newest {counted(events.length, 'event')} are shown.</p>}
          {cards.length > 0 && <h2>Waiting for you</h2>}
          {cards.map((card) => (
            <Card key={card.id} approval={card} />
          ))}
          {turnsOf(events).map((turn) => (
            <TurnSection key={turn.number} turn={turn} />
          ))}
        </article>
      )}
    </Await>
  );
}

function TurnSection({ turn }: { turn: Turn }): JSX.Element {
  return (
    <section class="turn">
      <h2>
        <time>{clock(turn.at)}</time>{' '}
        {turn.prompt ?? (turn.number === 0 ? 'Before the first prompt' : 'Turn')}
      </h2>
      <ol>
        {turn.items.map((item) => (
          <ItemRow key={item.kind === 'call' ? item.call.key : item.event.id} item={item} />
        ))}
      </ol>
    </section>
  );
}

function Fact({ name, value }: { name: string; value: string }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function ItemRow({ item }: { item: Item }): JSX.Element {
  return item.kind === 'call' ? <CallRow call={item.call} /> : <PlainRow event={item.event} />;
}

function PlainRow({ event }: { event: EventBrief }): JSX.Element {
  return (
    <li class={`row plain-row ${event.agentId ? 'sub' : ''}`}>
      <time>{clock(event.timestamp)}</time>
      <a class="what" href={eventLink(event.id)}>
        <span class="type">{event.type}</span> {event.subject}
      </a>
      <Pill state={stateOf(event)} />
    </li>
  );
}

function CallRow({ call }: { call: Call }): JSX.Element {
  const [open, setOpen] = useState(false);
  const rules = [...new Set(call.events.flatMap((event) => event.rules))];
  return (
    <li class={`call ${call.agentId ? 'sub' : ''}`}>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary class="row">
          <time>{clock(call.start)}</time>
          <span class="what">
            <span class="type">{call.tool}</span> {call.subject}
          </span>
          <span class="marks">
            {rules.length > 0 && <span class="meta">{rules.join(', ')}</span>}
            <Pill state={call.state} />
            {call.end !== null && call.end > call.start && (
              <span class="meta">{span(call.end - call.start)}</span>
            )}
          </span>
        </summary>
        {open && <CallDetail call={call} />}
      </details>
    </li>
  );
}

function CallDetail({ call }: { call: Call }): JSX.Element {
  const last = call.events.at(-1);
  const decided =
    call.events.findLast(({ decision, rules }) => decision !== 'none' || rules.length > 0) ?? call.events[0];
  const result = useAsked(last ? `/api/events/${encodeURIComponent(last.id)}` : null, isEvent);
  const why = useAsked(decided ? `/api/events/${encodeURIComponent(decided.id)}` : null, isEvent);
  return (
    <div class="detail">
      <Await loaded={result}>{(event) => <ToolDetail event={event} />}</Await>
      <h3>Why</h3>
      <Await loaded={why}>{(event) => <Why event={event} />}</Await>
      <p class="meta">
        Events:{' '}
        {call.events.map((event) => (
          <a key={event.id} href={eventLink(event.id)}>
            {event.type}
          </a>
        ))}
      </p>
    </div>
  );
}
