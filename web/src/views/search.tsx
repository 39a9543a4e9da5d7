import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Found, SessionBrief } from '../../../src/daemon/web-shapes.ts';
import { folderName } from '../../../src/model/text.ts';
import { has } from '../api.ts';
import { counted, dayName, eventLink, sessionLink, shortClock } from '../format.ts';
import { useAsked, useLive, useNow } from '../hooks.ts';
import { sessionKey } from '../live.ts';
import { AgentBadge, Await, Chip, Empty, Segments, Where } from '../parts/bits.tsx';
import { Icon } from '../parts/icons.tsx';

type Hit = Found['hits'][number];
const isFound = has<Found>('hits', 'sessions');
const TYPING_MS = 200;
const MOST_IN_SESSION = 6;
const DAY_MS = 86_400_000;

const KINDS: Readonly<Record<string, string>> = {
  intent: 'Prompts',
  command: 'Commands',
  file: 'Files',
  turn_end: 'Agent answers',
  message: 'Agent answers',
  error: 'Errors',
  plan: 'Plans',
  permission: 'Permissions',
  question: 'Questions',
};
const SINGULAR: Readonly<Record<string, string>> = {
  intent: 'Prompt',
  command: 'Command',
  file: 'File',
  turn_end: 'Answer',
  message: 'Answer',
  error: 'Error',
  plan: 'Plan',
  permission: 'Permission',
  question: 'Question',
};
const VERDICTS: Readonly<Record<string, string>> = {
  denied: 'Denied',
  failed: 'Failed',
  allowed: 'Allowed',
  waiting: 'Waits',
  done: 'No opinion',
};

const FACETS = ['Verdict', 'Kind', 'Agent', 'Repo', 'When'] as const;
type Facet = (typeof FACETS)[number];
type Chosen = Readonly<Partial<Record<Facet, string>>>;
type Order = 'best' | 'newest';

/** Everything that happened, by words; then by what it was, where and when. */
export function SearchView({ asked }: { asked: string }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(asked);
  const [text, setText] = useState(asked);
  const [chosen, setChosen] = useState<Chosen>({});
  useEffect(() => input.current?.focus(), []);
  useEffect(() => {
    const timer = window.setTimeout(() => setText(typed.trim()), TYPING_MS);
    return () => window.clearTimeout(timer);
  }, [typed]);
  const loaded = useAsked(text === '' ? null : `/api/search?q=${encodeURIComponent(text)}`, isFound);
  const drop = (facet: Facet) => setChosen({ ...chosen, [facet]: undefined });
  return (
    <>
      <h1 class="unseen">Search</h1>
      <search>
        <form class="big-find" onSubmit={(event) => event.preventDefault()}>
          <Icon name="search" />
          {FACETS.map((facet) =>
            chosen[facet] === undefined ? null : (
              <button key={facet} type="button" class="token" onClick={() => drop(facet)}>
                {facet.toLowerCase()}: {chosen[facet]} <Icon name="cross" />
                <span class="unseen">Remove this filter</span>
              </button>
            ),
          )}
          <input
            ref={input}
            type="search"
            value={typed}
            data-search
            aria-label="What agents were asked, ran, changed and said"
            placeholder={'words, "several words", beginnings*'}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </form>
      </search>
      {text === '' ? (
        <div class="box">
          <Empty title="Everything that happened can be found.">
            Prompts, commands, files, errors and answers of all agents, with secrets taken out.
          </Empty>
        </div>
      ) : (
        <Await loaded={loaded}>
          {(found) => <Results found={found} chosen={chosen} onChoose={setChosen} />}
        </Await>
      )}
    </>
  );
}

interface ResultsProps {
  readonly found: Found;
  readonly chosen: Chosen;
  readonly onChoose: (chosen: Chosen) => void;
}

function Results({ found, chosen, onChoose }: ResultsProps): JSX.Element {
  const { agents } = useLive().state.about;
  const now = useNow(DAY_MS);
  const [order, setOrder] = useState<Order>('best');
  const sessions = useMemo(() => new Map(found.sessions.map((one) => [sessionKey(one), one])), [found]);
  const valuesOf = (hit: Hit) => facetsOf(hit, sessions.get(sessionKey(hit)), agents, now);
  const fits = (hit: Hit, but?: Facet) =>
    FACETS.every(
      (facet) => facet === but || chosen[facet] === undefined || valuesOf(hit)[facet].includes(chosen[facet]),
    );
  const hits = found.hits.filter((hit) => fits(hit));
  const groups = groupsOf(hits, order);
  if (found.hits.length === 0)
    return (
      <div class="box">
        <Empty title="Nothing has these words.">
          All words have to be in it. Try fewer, or a beginning*.
        </Empty>
      </div>
    );
  return (
    <div class="search-columns">
      <div class="facets">
        {FACETS.map((facet) => (
          <FacetList
            key={facet}
            facet={facet}
            counts={countsOf(
              found.hits.filter((hit) => fits(hit, facet)).flatMap((hit) => valuesOf(hit)[facet]),
            )}
            chosen={chosen[facet]}
            onChoose={(value) =>
              onChoose({ ...chosen, [facet]: chosen[facet] === value ? undefined : value })
            }
          />
        ))}
      </div>
      <div>
        <div class="head">
          <h2>
            {found.cut ? 'The best ' : ''}
            {counted(hits.length, 'match', 'matches')} in {counted(groups.length, 'session')}
          </h2>
          <span class="right">
            <Segments
              label="Order"
              name="order"
              value={order}
              options={[
                ['best', 'Best'],
                ['newest', 'Newest'],
              ]}
              onChoose={setOrder}
            />
          </span>
        </div>
        <div class="found">
          {groups.map(([key, some]) => (
            <SessionHits key={key} session={sessions.get(key) ?? null} hits={some} now={now} />
          ))}
          {groups.length === 0 && (
            <div class="box">
              <Empty title="No match is of this kind.">
                <button type="button" class="button" onClick={() => onChoose({})}>
                  Clear filters
                </button>
              </Empty>
            </div>
          )}
        </div>
      </div>
    </div>
  );
}

function facetsOf(
  hit: Hit,
  session: SessionBrief | undefined,
  agents: readonly { readonly id: string; readonly label: string }[],
  now: number,
): Readonly<Record<Facet, readonly string[]>> {
  const age = now - hit.timestamp;
  const repo = hit.call?.place || folderName(session?.projectId ?? session?.cwd ?? null);
  return {
    Verdict: hit.call?.outcome ? [VERDICTS[hit.call.outcome] ?? 'No opinion'] : [],
    Kind: [KINDS[hit.kind] ?? 'Other'],
    Agent: [agents.find(({ id }) => id === hit.source)?.label ?? hit.source],
    Repo: repo ? [repo] : [],
    When: [age < DAY_MS && 'Last 24 hours', age < 7 * DAY_MS && 'Last 7 days', 'All'].filter(
      (one) => one !== false,
    ),
  };
}

function countsOf(values: readonly string[]): readonly (readonly [value: string, n: number])[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => (a[0] === 'All' ? 1 : b[0] === 'All' ? -1 : b[1] - a[1]));
}

function FacetList({
  facet,
  counts,
  chosen,
  onChoose,
}: {
  facet: Facet;
  counts: readonly (readonly [string, number])[];
  chosen: string | undefined;
  onChoose: (value: string) => void;
}): JSX.Element | null {
  if (counts.length === 0) return null;
  return (
    <section class="facet">
      <h2>{facet}</h2>
      {counts.map(([value, n]) => (
        <button key={value} type="button" aria-pressed={chosen === value} onClick={() => onChoose(value)}>
          <span class="cut">{value}</span> <span class="count">{n}</span>
        </button>
      ))}
    </section>
  );
}

function groupsOf(
  hits: readonly Hit[],
  order: Order,
): readonly (readonly [key: string, hits: readonly Hit[]])[] {
  const groups = new Map<string, Hit[]>();
  const sorted = order === 'best' ? hits : [...hits].sort((a, b) => b.timestamp - a.timestamp);
  for (const hit of sorted) {
    const list = groups.get(sessionKey(hit));
    if (list) list.push(hit);
    else groups.set(sessionKey(hit), [hit]);
  }
  return [...groups];
}

function SessionHits({
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
