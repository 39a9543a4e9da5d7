import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Found, SessionBrief } from '../../../src/daemon/web/shapes.ts';
import { folderName } from '../../../src/model/text.ts';
import { counted, dayName, eventLink, sessionLink, shortClock } from '../format.ts';
import { AgentBadge, Chip, Where } from './bits.tsx';

export type Hit = Found['hits'][number];
const MOST_IN_SESSION = 6;
const SINGULAR: Readonly<Record<string, string>> = {
  intent: 'Prompt',
  command: 'Command',
  file: 'File',
  turn_end: 'Message',
  message: 'Message',
  error: 'Error',
  plan: 'Plan',
  permission: 'Permission',
  question: 'Question',
};

/** The matches in one session. */
export function SessionHits({
  session,
  hits,
  now,
}: {
  session: SessionBrief | null;
  hits: readonly Hit[];
  now: number;
}): JSX.Element | null {
  const [all, setAll] = useState(false);
  const [first] = hits;
  if (!first) return null;
  const shown = all ? hits : hits.slice(0, MOST_IN_SESSION);
  return (
    <section class="box hit-group">
      <header>
        <AgentBadge source={first.source} />
        <a class="title cut" href={sessionLink(first)}>
          {session?.intent ?? `Session ${first.sessionId.slice(0, 8)}`}
        </a>
        <Where place={folderName(session?.projectId ?? session?.cwd ?? null)} />
        <span class="right quiet sm">
          {dayName(first.timestamp, now)} {shortClock(session?.startedAt ?? first.timestamp)},{' '}
          {counted(hits.length, 'match', 'matches')}
        </span>
      </header>
      <ol>
        {shown.map((hit) => (
          <HitLine key={hit.row} hit={hit} />
        ))}
      </ol>
      {shown.length < hits.length && (
        <button type="button" class="more-rows" onClick={() => setAll(true)}>
          {counted(hits.length - shown.length, 'more match', 'more matches')}
        </button>
      )}
    </section>
  );
}

const IN_CODE = new Set(['command', 'file', 'error']);

function HitLine({ hit }: { hit: Hit }): JSX.Element {
  const text = <Snippet text={hit.snippet.text} marks={hit.snippet.marks} />;
  return (
    <li>
      <a class="hit" href={eventLink(hit.call?.id ?? hit.eventId)}>
        <span class="kind">{SINGULAR[hit.kind] ?? hit.kind}</span>
        {IN_CODE.has(hit.kind) ? <code class="text">{text}</code> : <span class="text">{text}</span>}
        {hit.call?.words && hit.call.outcome !== 'done' ? (
          <Chip outcome={hit.call.outcome}>{hit.call.words}</Chip>
        ) : (
          <span class="quiet sm">{hit.call?.words}</span>
        )}
        <span class="at">{shortClock(hit.timestamp)}</span>
      </a>
    </li>
  );
}

function Snippet({
  text,
  marks,
}: {
  text: string;
  marks: readonly (readonly [number, number])[];
}): JSX.Element {
  const parts: JSX.Element[] = [];
  let at = 0;
  for (const [start, end] of marks) {
    parts.push(
      <span key={at}>{text.slice(at, start)}</span>,
      <mark key={start}>{text.slice(start, end)}</mark>,
    );
    at = end;
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  );
}
