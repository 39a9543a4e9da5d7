import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ShownApproval } from '../../../src/approvals/approval.ts';
import type { SessionBrief } from '../../../src/daemon/web/shapes.ts';
import { itemsOf } from '../../../src/history/calls/calls.ts';
import type { EventBrief } from '../../../src/history/calls/event-brief.ts';
import { type Activity, currentActivity } from '../../../src/history/sessions/activity.ts';
import { counted, lasting, sessionLink, shortClock } from '../format.ts';
import { useLive, useNow } from '../hooks.ts';
import { type LiveState, placeOf, sessionKey } from '../live.ts';
import { waitingWords } from '../requests.ts';
import { barsOf } from './bars.ts';
import { AgentBadge, Segments, Where } from './bits.tsx';
import { Track } from './track.tsx';

const RANGES = [
  ['300000', '5 min'],
  ['900000', '15 min'],
  ['3600000', '1 h'],
] as const;
type RangeMs = (typeof RANGES)[number][0];
const STEPS = 5;
const MOST_LANES = 12;
/** Lanes are slow to draw, and more frames add nothing for the eye. */
const DRAW_MS = 500;
const LEGEND: readonly (readonly [look: string, word: string])[] = [
  ['ran', 'done'],
  ['runs', 'running'],
  ['waits', 'pending'],
  ['waited', 'was pending'],
  ['failed', 'failed'],
  ['denied', 'denied'],
];

interface Lane {
  readonly session: SessionBrief;
  readonly place: string;
  readonly activity: Activity;
  readonly words: string;
  readonly events: readonly EventBrief[];
  readonly pending: readonly ShownApproval[];
}

/** Sessions that have not ended, newest first, with their current activity. */
function lanesOf({ sessions, events, pending, about }: LiveState, now: number): readonly Lane[] {
  const perSession = new Map<string, EventBrief[]>();
  for (const event of events) {
    const key = sessionKey(event);
    const list = perSession.get(key);
    if (list) list.push(event);
    else perSession.set(key, [event]);
  }
  // Hookline's own commands are stored as a session, too.
  const isAgent = ({ source }: SessionBrief) => about.agents.some(({ id }) => id === source);
  return sessions.filter(isAgent).flatMap((session) => {
    const own = perSession.get(sessionKey(session)) ?? [];
    const waiting = pending.filter((one) => sessionKey(one) === sessionKey(session));
    const { activity, words } = currentActivity(session, own, waiting.length, now);
    if (activity === 'ended' || activity === 'lost') return [];
    const place = placeOf(session) || (own.at(-1)?.place ?? '');
    return [
      { session, place, activity, words: waitingWords(waiting) || words, events: own, pending: waiting },
    ];
  });
}

/** Active sessions: one lane per session, on one axis. */
export function Lanes(): JSX.Element | null {
  const { state } = useLive();
  const now = useNow(DRAW_MS);
  const [range, setRange] = useState<RangeMs>('900000');
  const lanes = useMemo(() => lanesOf(state, now), [now]);
  if (lanes.length === 0) return null;
  const shown = lanes.slice(0, MOST_LANES);
  const ms = Number(range);
  return (
    <section class="section" aria-labelledby="lanes-title">
      <div class="head">
        <h2 id="lanes-title">Running</h2>
        <span class="quiet sm">{counted(lanes.length, 'session')}, newest first</span>
        <span class="right legend" aria-hidden="true">
          {LEGEND.map(([look, word]) => (
            <span key={look} class={look}>
              {word}
            </span>
          ))}
        </span>
        <Segments label="Time range" name="range" value={range} options={RANGES} onChoose={setRange} />
      </div>
      <div class="box lanes">
        <Axis now={now} range={ms} />
        <ol>
          {shown.map((lane) => (
            <LaneRow key={sessionKey(lane.session)} lane={lane} now={now} range={ms} />
          ))}
        </ol>
        {lanes.length > shown.length && (
          <p class="none sm">
            <a class="link" href="#/sessions">
              {counted(lanes.length - shown.length, 'more session')}
            </a>
          </p>
        )}
      </div>
    </section>
  );
}

const GRID = Array.from({ length: STEPS }, (_, at) => (at * 100) / STEPS);

function Axis({ now, range }: { now: number; range: number }): JSX.Element {
  return (
    <div class="lane axis" aria-hidden="true">
      <span>Session</span>
      <span>Doing now</span>
      <svg class="track" aria-hidden="true">
        {GRID.map((x) => (
          <text key={x} x={`${x}%`} y="16">
            {shortClock(now - range + (x / 100) * range)}
          </text>
        ))}
        <text x="100%" y="16" text-anchor="end">
          now
        </text>
      </svg>
      <span class="took">Time</span>
    </div>
  );
}

const DOTS: Readonly<Record<Activity, string>> = {
  waiting: 'waiting',
  running: 'running',
  idle: 'hollow',
  ended: 'hollow',
  lost: 'hollow',
};

function LaneRow({ lane, now, range }: { lane: Lane; now: number; range: number }): JSX.Element {
  const { session, place, activity, words, events, pending } = lane;
  const xOf = (at: number) => Math.min(100, ((at - (now - range)) / range) * 100);
  const items = itemsOf(
    events.filter(({ timestamp }) => timestamp > now - range),
    now,
  );
  const waits = pending.map(({ id, createdAt }) => {
    const x = Math.max(0, xOf(createdAt));
    return { key: id, x, width: Math.max(0.5, 100 - x), look: 'waiting' } as const;
  });
  const end = activity === 'idle' ? session.lastAt : now;
  return (
    <li>
      <a class="lane lane-label" href={sessionLink(session)}>
        <span class="who">
          <AgentBadge source={session.source} />
          <Where place={place} />
          <span class="prompt cut">{session.intent ?? session.sessionId.slice(0, 8)}</span>
        </span>
        <span class={`doing ${activity}`}>
          <span class={`dot ${DOTS[activity]}`} />
          <span class="cut">{words}</span>
        </span>
        <Track
          bars={[...barsOf(items, xOf, now), ...waits]}
          grid={[...GRID, 100]}
          line={[Math.max(0, xOf(session.startedAt)), xOf(end)]}
        />
        <span class="took">{lasting(now - session.startedAt)}</span>
      </a>
    </li>
  );
}
