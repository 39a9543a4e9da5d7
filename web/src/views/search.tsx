import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Found, SessionBrief } from '../../../src/daemon/web/shapes.ts';
import type { Outcome } from '../../../src/history/calls/outcome.ts';
import { folderName } from '../../../src/model/text.ts';
import { has } from '../api.ts';
import { counted } from '../format.ts';
import { useAsked, useLive, useNow, useSettled } from '../hooks.ts';
import { sessionKey } from '../live.ts';
import { Await, Empty, Segments } from '../parts/bits.tsx';
import { FacetList } from '../parts/facet-list.tsx';
import { Icon } from '../parts/icons.tsx';
import { type Hit, SessionHits } from '../parts/session-hits.tsx';

const isFound = has<Found>('hits', 'sessions');
const TYPING_MS = 200;
const DAY_MS = 86_400_000;

const KINDS: Readonly<Record<string, string>> = {
  intent: 'Prompts',
  command: 'Commands',
  file: 'Files',
  turn_end: 'Agent messages',
  message: 'Agent messages',
  error: 'Errors',
  plan: 'Plans',
  permission: 'Permissions',
  question: 'Questions',
};
const OUTCOMES: Readonly<Record<Outcome, string>> = {
  denied: 'Denied',
  failed: 'Failed',
  allowed: 'Allowed',
  waiting: 'Pending',
  running: 'Running',
  done: 'Done',
  unknown: 'Unknown',
};

const FACETS = ['Outcome', 'Kind', 'Agent', 'Repo', 'When'] as const;
type Facet = (typeof FACETS)[number];
type Chosen = Readonly<Partial<Record<Facet, string>>>;
const ORDERS = [
  ['best', 'Best'],
  ['newest', 'Newest'],
] as const;
type Order = (typeof ORDERS)[number][0];

/** Searches the history by text, and narrows the results by facets. */
export function SearchView({ asked }: { asked: string }): JSX.Element {
  const [typed, setTyped] = useState(asked);
  const text = useSettled(typed, TYPING_MS).trim();
  const [chosen, setChosen] = useState<Chosen>({});
  const loaded = useAsked(text === '' ? null : `/api/search?q=${encodeURIComponent(text)}`, isFound);
  return (
    <>
      <h1 class="unseen">Search</h1>
      <BigFind typed={typed} chosen={chosen} onType={setTyped} onChoose={setChosen} />
      {text === '' ? (
        <div class="box">
          <Empty title="Search the history.">
            Prompts, commands, files, errors and messages of all agents. Secrets are redacted.
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

interface FindProps {
  readonly typed: string;
  readonly chosen: Chosen;
  readonly onType: (text: string) => void;
  readonly onChoose: (chosen: Chosen) => void;
}

/** The search text and the chosen facets. */
function BigFind({ typed, chosen, onType, onChoose }: FindProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  // Before the page is painted, so that text typed right after `/` goes here.
  useLayoutEffect(() => input.current?.focus(), []);
  const drop = (facet: Facet) => onChoose({ ...chosen, [facet]: undefined });
  return (
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
          aria-label="Search prompts, commands, files and messages"
          placeholder={'words, "exact phrase", prefix*'}
          onInput={(event) => onType(event.currentTarget.value)}
        />
      </form>
    </search>
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
  const sessions = useMemo(() => new Map(found.sessions.map((one) => [sessionKey(one), one])), [found]);
  const valuesOf = (hit: Hit) => facetsOf(hit, sessions.get(sessionKey(hit)), agents, now);
  const fits = (hit: Hit, but?: Facet) =>
    FACETS.every(
      (facet) => facet === but || chosen[facet] === undefined || valuesOf(hit)[facet].includes(chosen[facet]),
    );
  const hits = found.hits.filter((hit) => fits(hit));
  if (found.hits.length === 0)
    return (
      <div class="box">
        <Empty title="No matches.">Every word must match. Try fewer words, or a prefix*.</Empty>
      </div>
    );
  const countsFor = (facet: Facet) =>
    countsOf(found.hits.filter((hit) => fits(hit, facet)).flatMap((hit) => valuesOf(hit)[facet]));
  return (
    <div class="search-columns">
      <div class="facets">
        {FACETS.map((facet) => (
          <FacetList
            key={facet}
            facet={facet}
            counts={countsFor(facet)}
            chosen={chosen[facet]}
            onChoose={(value) =>
              onChoose({ ...chosen, [facet]: chosen[facet] === value ? undefined : value })
            }
          />
        ))}
      </div>
      <FoundHits hits={hits} cut={found.cut} sessions={sessions} now={now} onClear={() => onChoose({})} />
    </div>
  );
}

interface HitsProps {
  readonly hits: readonly Hit[];
  readonly cut: boolean;
  readonly sessions: ReadonlyMap<string, SessionBrief>;
  readonly now: number;
  readonly onClear: () => void;
}

function FoundHits({ hits, cut, sessions, now, onClear }: HitsProps): JSX.Element {
  const [order, setOrder] = useState<Order>('best');
  const groups = groupsOf(hits, order);
  return (
    <div>
      <div class="head">
        <h2>
          {cut ? 'The best ' : ''}
          {counted(hits.length, 'match', 'matches')} in {counted(groups.length, 'session')}
        </h2>
        <span class="right">
          <Segments label="Order" name="order" value={order} options={ORDERS} onChoose={setOrder} />
        </span>
      </div>
      <div class="found">
        {groups.map(([key, some]) => (
          <SessionHits key={key} session={sessions.get(key) ?? null} hits={some} now={now} />
        ))}
        {groups.length === 0 && (
          <div class="box">
            <Empty title="No matches with these filters.">
              <button type="button" class="button" onClick={onClear}>
                Clear filters
              </button>
            </Empty>
          </div>
        )}
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
    Outcome: hit.call?.outcome ? [OUTCOMES[hit.call.outcome]] : [],
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
