import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SessionRow as SessionCard } from '../../../src/daemon/web-shapes.ts';
import type { Activity } from '../../../src/history/activity.ts';
import { folderName } from '../../../src/model/text.ts';
import { has } from '../api.ts';
import { counted, dayName, lasting, sessionLink, shortClock } from '../format.ts';
import { useAsked, useLive, useNow } from '../hooks.ts';
import { placeOf, sessionKey } from '../live.ts';
import { AgentBadge, Await, Empty, Filter, Finder, Where } from '../parts/bits.tsx';
import { waitingWords } from '../requests.ts';

const isList = has<{ sessions: readonly SessionCard[] }>('sessions');
const SPANS = [
  ['1', '1 day'],
  ['7', '7 days'],
  ['30', '30 days'],
  ['', 'all time'],
] as const;
const MOST = 500;
const LOOK_MS = 5_000;

const QUICK = {
  waiting: ['Waits', ({ doing }: SessionCard) => doing.activity === 'waiting'],
  running: ['Running', ({ doing }: SessionCard) => doing.activity === 'running'],
  denied: ['With denials', ({ denied }: SessionCard) => denied > 0],
  failing: ['Tests failing', ({ tests }: SessionCard) => tests === 'failing'],
} as const;
type Quick = keyof typeof QUICK;
const QUICKS: readonly Quick[] = ['waiting', 'running', 'denied', 'failing'];

export function SessionsView({ source }: { source: string | null }): JSX.Element {
  const now = useNow(LOOK_MS);
  const [days, setDays] = useState('7');
  const path = `/api/sessions?limit=${MOST}${days && `&days=${days}`}`;
  const loaded = useAsked(path, isList, Math.floor(now / LOOK_MS));
  const { agents } = useLive().state.about;
  // What people did with Hookline itself is on record as a session, too.
  const isAgent = (one: SessionCard) => agents.some(({ id }) => id === one.source);
  return (
    <Await loaded={loaded}>
      {({ sessions }) => (
        <Sessions all={sessions.filter(isAgent)} source={source} days={days} setDays={setDays} now={now} />
      )}
    </Await>
  );
}

interface SessionsProps {
  readonly all: readonly SessionCard[];
  readonly source: string | null;
  readonly days: string;
  readonly setDays: (days: string) => void;
  readonly now: number;
}

function Sessions({ all, source, days, setDays, now }: SessionsProps): JSX.Element {
  const { agents } = useLive().state.about;
  const [text, setText] = useState('');
  const [agent, setAgent] = useState(source ?? '');
  const [repo, setRepo] = useState('');
  const [quick, setQuick] = useState<Quick | null>(null);
  const repos = [...new Set(all.map(repoOf))].filter(Boolean).sort();
  const wanted = text.trim().toLowerCase();
  const fitting = all.filter(
    (one) =>
      (agent === '' || one.source === agent) &&
      (repo === '' || repoOf(one) === repo) &&
      textOf(one).includes(wanted),
  );
  const shown = quick === null ? fitting : fitting.filter(QUICK[quick][1]);
  const clear = () => {
    setText('');
    setAgent('');
    setRepo('');
    setQuick(null);
  };
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
      <div class="tools">
        <Finder label="Filter by prompt, folder, message" value={text} onInput={setText} />
        <Choice
          label="Agent"
          value={agent}
          onChoose={setAgent}
          options={[['', 'any'], ...agents.map(({ id, label }) => [id, label] as const)]}
        />
        <Choice
          label="Repo"
          value={repo}
          onChoose={setRepo}
          options={[['', 'any'], ...repos.map((one) => [one, one] as const)]}
        />
        <Choice label="Last" value={days} onChoose={setDays} options={SPANS} />
        <span class="divider" />
        {QUICKS.map((one) => (
          <Filter
            key={one}
            on={quick === one}
            count={fitting.filter(QUICK[one][1]).length}
            onToggle={() => setQuick(quick === one ? null : one)}
          >
            {QUICK[one][0]}
          </Filter>
        ))}
      </div>
      <div class="box session-list">
        {shown.length > 0 ? (
          <Days sessions={shown} now={now} />
        ) : all.length === 0 ? (
          <Empty title="No session yet.">
            Each run of an agent becomes a session here, with what it did and why it was let. Run{' '}
            <code>hookline setup</code> for an agent you have.
          </Empty>
        ) : (
          <Empty title="No session matches.">
            <button type="button" class="button" onClick={clear}>
              Clear filters
            </button>
          </Empty>
        )}
      </div>
    </>
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

const repoOf = ({ projectId, cwd }: SessionCard): string => folderName(projectId ?? cwd);

function textOf({ intent, cwd, projectId, lastMessage, sessionId }: SessionCard): string {
  return [intent, cwd, projectId, lastMessage, sessionId].join(' ').toLowerCase();
}

function Days({ sessions, now }: { sessions: readonly SessionCard[]; now: number }): JSX.Element {
  const days = new Map<string, SessionCard[]>();
  for (const session of sessions) {
    const day = dayName(session.lastAt, now);
    const list = days.get(day);
    if (list) list.push(session);
    else days.set(day, [session]);
  }
  return (
    <>
      <div class="session-head" aria-hidden="true">
        <span>State</span>
        <span />
        <span>Session</span>
        <span>Changed</span>
        <span>Tests</span>
        <span>Rules</span>
        <span>Cost</span>
        <span>Time</span>
      </div>
      {[...days].map(([day, list]) => (
        <section key={day}>
          <div class="day">
            <h2>{day}</h2>
            <span class="quiet sm">{daySum(list)}</span>
          </div>
          <ol>
            {list.map((session) => (
              <SessionRow key={sessionKey(session)} session={session} now={now} />
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}

function daySum(list: readonly SessionCard[]): string {
  const sum = (of: (session: SessionCard) => number) => list.reduce((total, one) => total + of(one), 0);
  const cost = sum(({ costUsd }) => costUsd ?? 0);
  return [
    counted(list.length, 'session'),
    counted(
      sum(({ toolNumber }) => toolNumber),
      'call',
    ),
    sum(({ denied }) => denied) > 0 && `${sum(({ denied }) => denied)} denied`,
    cost > 0 && `$${cost.toFixed(2)}`,
  ]
    .filter(Boolean)
    .join(', ');
}

export const STATES: Readonly<Record<Activity, readonly [look: string, word: string]>> = {
  waiting: ['waiting', 'Waits'],
  running: ['running', 'Running'],
  idle: ['plain', 'Idle'],
  ended: ['plain', 'Ended'],
  lost: ['plain', 'Lost'],
};

function SessionRow({ session, now }: { session: SessionCard; now: number }): JSX.Element {
  const { pending } = useLive().state;
  const waiting = pending.filter((one) => sessionKey(one) === sessionKey(session));
  const { doing, lastMessage, intent, startedAt, lastAt } = session;
  const [look, word] = STATES[doing.activity];
  const isOver = doing.activity === 'ended' || doing.activity === 'idle';
  const says = waitingWords(waiting) || (isOver && lastMessage ? `“${lastMessage}”` : doing.words);
  return (
    <li>
      <a class="session-row" href={sessionLink(session)}>
        <span class="state">
          <span class={`chip ${look}`}>{word}</span>
        </span>
        <AgentBadge source={session.source} />
        <span class="what">
          <span class="title cut">{intent ?? `Session ${session.sessionId.slice(0, 8)}`}</span>
          <span class="about">
            <Where place={placeOf(session)} />
            <span class="says cut">{says}</span>
          </span>
        </span>
        <Numbers session={session} />
        <span class="cell time">
          {lasting((doing.activity === 'running' ? now : lastAt) - startedAt)}
          <small>{shortClock(startedAt)}</small>
        </span>
      </a>
    </li>
  );
}

const TESTS = { passing: 'good', fixed: 'good', failing: 'bad', unknown: '' } as const;

/** What is not known is a dash, never a zero. */
function Numbers({ session }: { session: SessionCard }): JSX.Element {
  const { filesChanged, lines, tests, denied, tokens, costUsd } = session;
  return (
    <span class="numbers">
      <span class="cell">
        {filesChanged > 0 ? counted(filesChanged, 'file') : <None />}
        {lines && (
          <small>
            <span class="plus">+{lines.added}</span> <span class="minus">−{lines.removed}</span>
          </small>
        )}
      </span>
      <span class="cell">
        {tests === null ? (
          <None />
        ) : (
          <span class={TESTS[tests]}>
            <span class="narrow">tests </span>
            {tests}
          </span>
        )}
      </span>
      <span class="cell">{denied > 0 ? <span class="bad">{denied} denied</span> : <None />}</span>
      <span class="cell cost">
        {costUsd !== null ? `$${costUsd.toFixed(2)}` : tokens === null ? <None /> : ''}
        {tokens !== null && <small>{Math.round(tokens / 1_000)}k tokens</small>}
      </span>
    </span>
  );
}

function None(): JSX.Element {
  return <span class="zero">–</span>;
}
