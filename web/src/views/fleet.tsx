import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isLate } from '../../../src/fleet/machines/report-age.ts';
import type { FleetFeed, FleetMachines, FoundFleetEvents } from '../../../src/fleet/machines/view.ts';
import { has } from '../api.ts';
import { useFleetFeed } from '../fleet.ts';
import { counted, inAddress } from '../format.ts';
import { type Loaded, useAsked, useNow, useSettled } from '../hooks.ts';
import { Await, Empty, Finder, useAgentLabels } from '../parts/bits.tsx';
import { FacetList } from '../parts/facet-list.tsx';
import { FleetMachineList } from '../parts/fleet-machines.tsx';
import { FleetRows } from '../parts/fleet-rows.tsx';

const isMachines = has<FleetMachines>('machines', 'total', 'self');
const isFound = has<FoundFleetEvents>('events', 'looked', 'stored');
const LOOK_MS = 3_000;
/** The first request only makes the daemon start reading, so it finds no machines. */
const SOON_MS = 500;
const TYPING_MS = 400;

/** All machines of the fleet, their agents and what these do. */
export function FleetView(): JSX.Element {
  const [everyMs, setEvery] = useState(SOON_MS);
  const now = useNow(everyMs);
  const loaded = useAsked('/api/fleet/coverage', isMachines, Math.floor(now / everyMs));
  const hasMachines = loaded.state === 'there' && loaded.value.total > 0;
  useEffect(() => setEvery(hasMachines ? LOOK_MS : SOON_MS), [hasMachines]);
  const feed = useFleetFeed();
  return (
    <Await loaded={loaded}>
      {(fleet) => (
        <>
          <Head fleet={fleet} now={now} />
          <FleetMachineList fleet={fleet} now={now} />
          <Happening fleet={fleet} feed={feed} />
        </>
      )}
    </Await>
  );
}

function Head({ fleet, now }: { fleet: FleetMachines; now: number }): JSX.Element {
  const { team, machines, total, connected, problem } = fleet;
  const late = machines.filter((one) => isLate(one, now)).length;
  return (
    <>
      <div class="head">
        <h1>Fleet {team}</h1>
        <span class="quiet">
          {counted(total, 'machine')}
          {late > 0 && `, ${late} offline`}
        </span>
      </div>
      {!connected && (
        <p class="trouble">
          This machine is not connected to its fleet. Run <code>hookline fleet status</code> to see why.
        </p>
      )}
      {problem && <p class="trouble">Can't read the machines: {problem}.</p>}
    </>
  );
}

const FACETS = ['machine', 'agent', 'decision'] as const;
type Facet = (typeof FACETS)[number];
type Chosen = Readonly<Partial<Record<Facet, string>>>;
const TITLES: Readonly<Record<Facet, string>> = { machine: 'Machine', agent: 'Agent', decision: 'Decision' };
const DECISIONS: Readonly<Record<string, string>> = {
  none: 'No decision',
  allow: 'Allowed',
  deny: 'Denied',
  ask: 'Asked',
};

interface HappeningProps {
  readonly fleet: FleetMachines;
  readonly feed: Loaded<FleetFeed>;
}

/** The newest events, or the search results. */
function Happening({ fleet, feed }: HappeningProps): JSX.Element {
  const [typed, setTyped] = useState('');
  const text = useSettled(typed, TYPING_MS).trim();
  const [chosen, setChosen] = useState<Chosen>({});
  const search = searchPath(text, chosen);
  const found = useAsked(search, isFound);
  return (
    <section class="section" aria-labelledby="fleet-events">
      <div class="head">
        <h2 id="fleet-events">Events</h2>
        <span class="right">
          <Finder label="Find in all events" value={typed} onInput={setTyped} />
        </span>
      </div>
      <div class="search-columns">
        <Counts fleet={fleet} feed={feed} chosen={chosen} onChoose={setChosen} />
        {search === null ? (
          <Await loaded={feed}>{(some) => <Newest feed={some} self={fleet.self} />}</Await>
        ) : (
          <Await loaded={found}>{(some) => <Found found={some} self={fleet.self} />}</Await>
        )}
      </div>
    </section>
  );
}

/** Null without a search. */
function searchPath(text: string, chosen: Chosen): string | null {
  const asked = Object.entries({ ...chosen, text }).filter(([, value]) => value);
  if (asked.length === 0) return null;
  return `/api/fleet/search?${asked.map(([name, value]) => `${name}=${inAddress(value)}`).join('&')}`;
}

interface CountsProps extends HappeningProps {
  readonly chosen: Chosen;
  readonly onChoose: (chosen: Chosen) => void;
}

function Counts({ fleet, feed, chosen, onChoose }: CountsProps): JSX.Element {
  const agentLabel = useAgentLabels();
  const names = new Map(fleet.machines.map(({ id, name }) => [id, name]));
  const labels: Readonly<Record<Facet, (value: string) => string>> = {
    machine: (id) => names.get(id) ?? id.slice(0, 8),
    agent: agentLabel,
    decision: (value) => DECISIONS[value] ?? value,
  };
  if (feed.state !== 'there') return <div class="facets" />;
  const { counts, kept } = feed.value;
  return (
    <div class="facets">
      {FACETS.map((facet) => (
        <FacetList
          key={facet}
          facet={TITLES[facet]}
          counts={counts[facet].map(({ value, count }) => [value, count] as const)}
          chosen={chosen[facet]}
          labelOf={labels[facet]}
          onChoose={(value) => onChoose({ ...chosen, [facet]: chosen[facet] === value ? undefined : value })}
        />
      ))}
      {kept > 0 && <p class="quiet sm counted-of">of the newest {counted(kept, 'event')}</p>}
    </div>
  );
}

function Newest({ feed, self }: { feed: FleetFeed; self: string }): JSX.Element {
  const { events, problem, skipped, leftOut } = feed;
  const shown = events.filter(({ minor }) => !minor);
  return (
    <div>
      {problem && <p class="trouble">Can't read the events: {problem}.</p>}
      <FleetRows events={shown} self={self}>
        <Empty title="No events yet.">Events from every machine of the fleet appear here.</Empty>
      </FleetRows>
      {skipped > 0 && <p class="quiet sm">{counted(skipped, 'event')} skipped: too many to show.</p>}
      <LeftOut count={leftOut} />
    </div>
  );
}

function Found({ found, self }: { found: FoundFleetEvents; self: string }): JSX.Element {
  const { events, looked, stored, leftOut } = found;
  const where =
    looked < stored
      ? `the newest ${looked.toLocaleString('en')} of ${counted(stored, 'message')}`
      : counted(stored, 'message');
  return (
    <div>
      <p class="quiet sm found-in" role="status">
        {counted(events.length, 'event')} in {where}
      </p>
      <FleetRows events={events} self={self}>
        <Empty title="No matching events.">An event must contain every word and match every filter.</Empty>
      </FleetRows>
      <LeftOut count={leftOut} />
    </div>
  );
}

function LeftOut({ count }: { count: number }): JSX.Element | null {
  if (count === 0) return null;
  return (
    <p class="quiet sm">
      {counted(count, 'message')} rejected: signature check failed. Run <code>hookline fleet verify</code> for
      details.
    </p>
  );
}
