import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SessionRow } from '../../../src/daemon/web/shapes.ts';
import { folderName } from '../../../src/model/text.ts';
import { has } from '../api.ts';
import { useAsked, useLive, useNow } from '../hooks.ts';
import { Await, Empty, Filter, Finder } from '../parts/bits.tsx';
import { SessionDays } from '../parts/session-days.tsx';

const isList = has<{ sessions: readonly SessionRow[] }>('sessions');
const SPANS = [
  ['1', '1 day'],
  ['7', '7 days'],
  ['30', '30 days'],
  ['', 'all time'],
] as const;
const MOST = 500;
const LOOK_MS = 5_000;

const QUICK = {
  waiting: ['Pending', ({ doing }: SessionRow) => doing.activity === 'waiting'],
  running: ['Running', ({ doing }: SessionRow) => doing.activity === 'running'],
  denied: ['With denials', ({ denied }: SessionRow) => denied > 0],
  failing: ['Tests failing', ({ tests }: SessionRow) => tests === 'failing'],
} as const;
type Quick = keyof typeof QUICK;
const QUICKS: readonly Quick[] = ['waiting', 'running', 'denied', 'failing'];

export function SessionsView({ source }: { source: string | null }): JSX.Element {
  const now = useNow(LOOK_MS);
  const [days, setDays] = useState('7');
  const path = `/api/sessions?limit=${MOST}${days && `&days=${days}`}`;
  const loaded = useAsked(path, isList, Math.floor(now / LOOK_MS));
  const { agents } = useLive().state.about;
  // Hookline's own commands are stored as a session, too.
  const isAgent = (one: SessionRow) => agents.some(({ id }) => id === one.source);
  return (
    <Await loaded={loaded}>
      {({ sessions }) => (
        <Sessions all={sessions.filter(isAgent)} source={source} days={days} setDays={setDays} now={now} />
      )}
    </Await>
  );
}

interface SessionsProps {
  readonly all: readonly SessionRow[];
  readonly source: string | null;
  readonly days: string;
  readonly setDays: (days: string) => void;
  readonly now: number;
}

/** The chosen filters. */
interface Filtering {
  readonly text: string;
  readonly agent: string;
  readonly repo: string;
  readonly quick: Quick | null;
}

const NO_FILTER: Filtering = { text: '', agent: '', repo: '', quick: null };

function Sessions({ all, source, days, setDays, now }: SessionsProps): JSX.Element {
  const [filter, setFilter] = useState<Filtering>({ ...NO_FILTER, agent: source ?? '' });
  const fitting = all.filter((one) => isFitting(one, filter));
  const shown = filter.quick === null ? fitting : fitting.filter(QUICK[filter.quick][1]);
  return (
    <>
      <div class="head">
        <h1>Sessions</h1>
        <span class="quiet">
          {all.length}
          {all.length === MOST ? ', the newest' : ''} in{' '}
          {days === '' ? 'all time' : `the last ${SPANS.find(([one]) => one === days)?.[1]}`}
        </span>
      </div>
      <Tools all={all} fitting={fitting} filter={filter} onFilter={setFilter}>
        <Choice label="Last" value={days} onChoose={setDays} options={SPANS} />
      </Tools>
      <div class="box session-list">
        {shown.length > 0 ? (
          <SessionDays sessions={shown} now={now} />
        ) : all.length === 0 ? (
          <Empty title="No sessions yet.">
            Each agent run appears here with its calls and decisions. Run <code>hookline setup</code> to set
            up an agent.
          </Empty>
        ) : (
          <Empty title="No matching sessions.">
            <button type="button" class="button" onClick={() => setFilter(NO_FILTER)}>
              Clear filters
            </button>
          </Empty>
        )}
      </div>
    </>
  );
}

function isFitting(one: SessionRow, { text, agent, repo }: Filtering): boolean {
  return (
    (agent === '' || one.source === agent) &&
    (repo === '' || repoOf(one) === repo) &&
    textOf(one).includes(text.trim().toLowerCase())
  );
}

interface ToolsProps {
  readonly all: readonly SessionRow[];
  readonly fitting: readonly SessionRow[];
  readonly filter: Filtering;
  readonly onFilter: (filter: Filtering) => void;
  readonly children: ComponentChildren;
}

function Tools({ all, fitting, filter, onFilter, children }: ToolsProps): JSX.Element {
  const { agents } = useLive().state.about;
  const repos = [...new Set(all.map(repoOf))].filter(Boolean).sort();
  const change = (some: Partial<Filtering>) => onFilter({ ...filter, ...some });
  return (
    <div class="tools">
      <Finder label="Filter sessions" value={filter.text} onInput={(text) => change({ text })} />
      <Choice
        label="Agent"
        value={filter.agent}
        onChoose={(agent) => change({ agent })}
        options={[['', 'any'], ...agents.map(({ id, label }) => [id, label] as const)]}
      />
      <Choice
        label="Repo"
        value={filter.repo}
        onChoose={(repo) => change({ repo })}
        options={[['', 'any'], ...repos.map((one) => [one, one] as const)]}
      />
      {children}
      <span class="divider" />
      {QUICKS.map((one) => (
        <Filter
          key={one}
          on={filter.quick === one}
          count={fitting.filter(QUICK[one][1]).length}
          onToggle={() => change({ quick: filter.quick === one ? null : one })}
        >
          {QUICK[one][0]}
        </Filter>
      ))}
    </div>
  );
}

function Choice({
  label,
  value,
  options,
  onChoose,
}: {
  label: string;
  value: string;
  options: readonly (readonly [value: string, words: string])[];
  onChoose: (value: string) => void;
}): JSX.Element {
  return (
    <label class="filter">
      {label}
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {options.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

const repoOf = ({ projectId, cwd }: SessionRow): string => folderName(projectId ?? cwd);

function textOf({ intent, cwd, projectId, lastMessage, sessionId }: SessionRow): string {
  return [intent, cwd, projectId, lastMessage, sessionId].join(' ').toLowerCase();
}
