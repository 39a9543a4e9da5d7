import type { JSX } from 'preact';
import type { SessionRow as Session } from '../../../src/daemon/web/shapes.ts';
import type { Activity } from '../../../src/history/sessions/activity.ts';
import { counted, dayName, lasting, sessionLink, shortClock } from '../format.ts';
import { useLive } from '../hooks.ts';
import { placeOf, sessionKey } from '../live.ts';
import { waitingWords } from '../requests.ts';
import { AgentBadge, Where } from './bits.tsx';

/** Sessions by the day of their last event. */
export function SessionDays({ sessions, now }: { sessions: readonly Session[]; now: number }): JSX.Element {
  const days = new Map<string, Session[]>();
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
              <Row key={sessionKey(session)} session={session} now={now} />
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}

function daySum(list: readonly Session[]): string {
  const sum = (of: (session: Session) => number) => list.reduce((total, one) => total + of(one), 0);
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
  waiting: ['waiting', 'Pending'],
  running: ['running', 'Running'],
  idle: ['plain', 'Idle'],
  ended: ['plain', 'Ended'],
  lost: ['plain', 'Unknown'],
};

function Row({ session, now }: { session: Session; now: number }): JSX.Element {
  const { pending } = useLive().state;
  const waiting = pending.filter((one) => sessionKey(one) === sessionKey(session));
  const { doing, lastMessage, intent, startedAt, lastAt } = session;
  const [look, word] = STATES[doing.activity];
  const isOver = doing.activity === 'ended' || doing.activity === 'idle';
  const text = waitingWords(waiting) || (isOver && lastMessage ? `“${lastMessage}”` : doing.words);
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
            <span class="says cut">{text}</span>
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

/** Shows unknown numbers as a dash, not as 0. */
function Numbers({ session }: { session: Session }): JSX.Element {
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
