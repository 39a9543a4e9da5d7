import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Found } from '../../../src/daemon/web-shapes.ts';
import { has } from '../api.ts';
import { eventLink, moment, sessionLink } from '../format.ts';
import { useAsked } from '../hooks.ts';
import { Await, Empty } from '../parts/bits.tsx';
import { RowMarks, RowText } from '../parts/item-row.tsx';

const isFound = has<Found>('hits');
const TYPING_MS = 250;

export function SearchView(): JSX.Element {
  const [typed, setTyped] = useState('');
  const [text, setText] = useState('');
  useEffect(() => {
    const timer = window.setTimeout(() => setText(typed.trim()), TYPING_MS);
    return () => window.clearTimeout(timer);
  }, [typed]);
  const loaded = useAsked(text === '' ? null : `/api/search?q=${encodeURIComponent(text)}`, isFound);
  return (
    <>
      <h1>Search</h1>
      <search>
        <form onSubmit={(event) => event.preventDefault()}>
          <label class="field">
            What agents were asked, ran, changed and said
            <input
              type="search"
              value={typed}
              data-search
              placeholder={'words, "several words", beginnings*'}
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          </label>
        </form>
      </search>
      {text === '' ? (
        <Empty title="Everything that happened can be found.">
          Prompts, commands, files, errors and answers of all agents, with secrets taken out. Best matches
          come first.
        </Empty>
      ) : (
        <Await loaded={loaded}>
          {({ hits }) =>
            hits.length === 0 ? (
              <Empty title="Nothing has these words.">
                All words have to be in it. Try fewer, or a beginning*.
              </Empty>
            ) : (
              <Hits hits={hits} />
            )
          }
        </Await>
      )}
    </>
  );
}

function Hits({ hits }: Found): JSX.Element {
  return (
    <ol class="hits">
      {hits.map((hit) => (
        <li key={hit.row}>
          <p class="hit">
            <a href={eventLink(hit.call?.id ?? hit.eventId)}>
              {hit.call ? <RowText row={hit.call} /> : hit.kind}
            </a>{' '}
            {hit.call && <RowMarks row={hit.call} />}
          </p>
          <p>
            <Snippet text={hit.snippet.text} marks={hit.snippet.marks} />
          </p>
          <p class="meta">
            {hit.source}, {hit.call?.place && `${hit.call.place}, `}
            {moment(hit.timestamp)}, <a href={sessionLink(hit)}>session {hit.sessionId.slice(0, 8)}</a>
          </p>
        </li>
      ))}
    </ol>
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
