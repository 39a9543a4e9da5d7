import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SessionBrief, SessionView as Shape } from '../../../src/daemon/web-shapes.ts';
import type { Call, Item } from '../../../src/history/calls.ts';
import type { EventDetail } from '../../../src/history/event-detail.ts';
import { isStory, rowOf } from '../../../src/history/row.ts';
import { sessionState } from '../../../src/history/session-state.ts';
import { type Turn, turnsOf } from '../../../src/history/turns.ts';
import { folderName, timeTaken } from '../../../src/model/text.ts';
import { has } from '../api.ts';
import { clock, counted, eventLink, moment } from '../format.ts';
import { useAsked, useLive, useNow } from '../hooks.ts';
import { sessionKey } from '../live.ts';
import { Await } from '../parts/bits.tsx';
import { Card } from '../parts/card.tsx';
import { RowMarks, RowText } from '../parts/item-row.tsx';
import { ToolDetail, Why } from '../parts/why.tsx';

const LOOK_MS = 60_000;

const isView = has<Shape>('session', 'events');
const isEvent = has<EventDetail>('id', 'type', 'opinions', 'call');

/** One session, turn by turn. */
export function SessionView({ source, id }: { source: string; id: string }): JSX.Element {
  const { state } = useLive();
  const now = useNow(LOOK_MS);
  const [protocol, setProtocol] = useState(false);
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
          <Facts session={session} now={now} />
          {cut && <p class="quiet">Only the newest {counted(events.length, 'event')} are shown.</p>}
          {cards.length > 0 && <h2>Waiting for you</h2>}
          {cards.map((card) => (
            <Card key={card.id} approval={card} />
          ))}
          <p>
            <button type="button" aria-pressed={protocol} onClick={() => setProtocol(!protocol)}>
              Protocol events
            </button>
          </p>
          {turnsOf(events, Math.max(now, Date.now())).map((turn) => (
            <TurnSection key={turn.number} turn={turn} protocol={protocol} />
          ))}
        </article>
      )}
    </Await>
  );
}

function Facts({ session, now }: { session: SessionBrief; now: number }): JSX.Element {
  const { agents } = useLive().state.about;
  const { source, sessionId, cwd, projectId, startedAt, lastAt } = session;
  return (
    <dl class="facts">
      <Fact name="Agent" value={agents.find(({ id }) => id === source)?.label ?? source} />
      <Fact name="Project" value={folderName(projectId ?? cwd) || '–'} />
      <Fact name="Folder" value={cwd ?? '–'} />
      <Fact name="Session" value={sessionId} />
      <Fact name="Began" value={moment(startedAt)} />
      <Fact name="Took" value={timeTaken(Math.max(0, lastAt - startedAt))} />
      <Fact name="Prompts" value={String(session.promptNumber)} />
      <Fact name="Tool calls" value={String(session.toolNumber)} />
      <Fact name="State" value={sessionState(session, now)} />
    </dl>
  );
}

function TurnSection({ turn, protocol }: { turn: Turn; protocol: boolean }): JSX.Element {
  return (
    <section class="turn">
      <h2>
        <time>{clock(turn.at)}</time>{' '}
        {turn.prompt ?? (turn.number === 0 ? 'Before the first prompt' : 'Turn')}
      </h2>
      <ol>
        {turn.items
          .filter((item) => protocol || isStory(item))
          .map((item) =>
            item.kind === 'call' ? (
              <CallRow key={item.call.key} item={item} />
            ) : (
              <PlainRow key={item.event.id} item={item} />
            ),
          )}
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

function PlainRow({ item }: { item: Item }): JSX.Element {
  const row = rowOf(item);
  return (
    <li class={`row plain-row ${row.agentId ? 'sub' : ''}`}>
      <time>{clock(row.at)}</time>
      <a class="what" href={eventLink(row.id)}>
        <RowText row={row} />
      </a>
      <RowMarks row={row} />
    </li>
  );
}

function CallRow({ item }: { item: Extract<Item, { kind: 'call' }> }): JSX.Element {
  const [open, setOpen] = useState(false);
  const row = rowOf(item);
  return (
    <li class={`call ${row.agentId ? 'sub' : ''}`}>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary class="row">
          <time>{clock(row.at)}</time>
          <span class="what">
            <RowText row={row} />
          </span>
          <RowMarks row={row} />
        </summary>
        {open && <CallDetail call={item.call} />}
      </details>
    </li>
  );
}

function CallDetail({ call }: { call: Call }): JSX.Element {
  const { id, events, waitedMs, costMs } = call;
  const last = events.at(-1);
  const result = useAsked(last ? `/api/events/${encodeURIComponent(last.id)}` : null, isEvent);
  const why = useAsked(`/api/events/${encodeURIComponent(id)}`, isEvent);
  return (
    <div class="detail">
      <Await loaded={result}>{(event) => <ToolDetail event={event} />}</Await>
      <h3>Why</h3>
      <Await loaded={why}>{(event) => <Why event={event} />}</Await>
      <p class="meta">
        {waitedMs > 0 && `Waited ${timeTaken(waitedMs)} for an answer. `}Hookline took {timeTaken(costMs)}.
      </p>
      <p class="meta">
        Events:{' '}
        {events.map((event) => (
          <a key={event.id} href={eventLink(event.id)}>
            {event.type}
          </a>
        ))}
      </p>
    </div>
  );
}
