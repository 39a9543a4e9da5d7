import type { Activity } from '../history/sessions/activity.ts';
import { clockTime } from '../model/text.ts';
import { distinctIds } from '../store/read/short-id.ts';
import { cutCells, cutMiddle } from '../terminal/cells.ts';
import { badgeOf } from './labels.ts';
import { barsOf, isActive, type Lane, SIGNS } from './lanes.ts';
import { between, fitted, type Line, type Look, line, span } from './line.ts';

interface LaneOptions {
  readonly lanes: readonly Lane[];
  readonly width: number;
  readonly height: number;
  readonly now: number;
}

/** Time ranges of the bars: the first one that covers the oldest shown session. */
const SPANS_MS = [2, 5, 15, 60].map((minutes) => minutes * 60_000);

function spanOf(lanes: readonly Lane[], now: number): number {
  const age = now - Math.min(now, ...lanes.map(({ session }) => session.startedAt));
  return SPANS_MS.find((ms) => ms >= age) ?? SPANS_MS.at(-1) ?? age;
}

/** Color is state: idle and ended sessions have none. */
const LOOKS: Readonly<Record<Activity, readonly Look[]>> = {
  waiting: ['waiting'],
  running: ['running'],
  idle: ['quiet'],
  ended: ['quiet'],
  lost: ['quiet'],
};

/** One row per active session: agent and place, bars, current activity, age. */
export function laneRows({ lanes, width, height, now }: LaneOptions): readonly Line[] {
  if (height < 1) return [];
  const shown = lanes.length <= height ? lanes : lanes.slice(0, height - 1);
  const from = now - spanOf(shown, now);
  const rows = shown.map((lane) => laneRow(lane, whoOf(lane, lanes), width, from, now));
  const hidden = lanes.slice(shown.length);
  return hidden.length === 0 ? rows : [...rows, line(`   ${moreWords(hidden)}`, 'quiet')];
}

function moreWords(hidden: readonly Lane[]): string {
  const running = hidden.filter(isActive).length;
  const others = hidden.length - running;
  return [running > 0 ? `${running} more running` : '', others > 0 ? `${others} more idle` : '']
    .filter(Boolean)
    .join(', ');
}

/** The same for a wide screen, below the times of its axis. */
export function laneTable(options: LaneOptions): readonly Line[] {
  const { lanes, width, height, now } = options;
  if (height < 2) return laneRows(options);
  const shown = lanes.length < height ? lanes : lanes.slice(0, height - 2);
  const { who, doing, bars, age } = columnsOf(width);
  const axis = axisText(bars, now - spanOf(shown, now), now);
  const head = [
    span(' Session'.padEnd(who)),
    span(' Doing now'.padEnd(doing)),
    span(` ${axis} `),
    span('Time'.padStart(age)),
  ].map((one) => ({ ...one, looks: ['quiet'] as const }));
  const legend = Object.values(SIGNS).map(({ sign, meaning }) => `${sign} ${meaning}`);
  const rows = laneRows({ ...options, height: height - 1 });
  const last = rows.length < height - 1 ? [line(` ${legend.join('  ')}`, 'quiet')] : [];
  return [fitted(head, width), ...rows, ...last];
}

interface Columns {
  readonly who: number;
  readonly bars: number;
  readonly doing: number;
  readonly age: number;
}

const WIDE = 120;

function columnsOf(width: number): Columns {
  const age = 9;
  const who = Math.max(20, Math.min(34, Math.floor(width * 0.36)));
  const bars = width >= WIDE ? Math.floor(width * 0.46) : Math.max(8, Math.floor(width * 0.2));
  return { who, bars, age, doing: width - who - bars - age - 2 };
}

function laneRow(lane: Lane, who: string, width: number, from: number, now: number): Line {
  const columns = columnsOf(width);
  const bars = barsOf(lane, from, now, columns.bars).map((bar) =>
    bar === null ? span(' ') : span(bar.sign, bar.look),
  );
  const looks = LOOKS[lane.doing.activity];
  const doing = fitted([span(` ${lane.doing.words}`, ...looks)], columns.doing);
  const start = fitted(
    [span(` ${badgeOf(lane.session.source)} `, 'bold'), ...whoSpans(lane, who, columns.who - 5)],
    columns.who,
  );
  const middle =
    width >= WIDE ? [...doing, span(' '), ...bars, span(' ')] : [...bars, span(' '), ...doing, span(' ')];
  return between(
    [...start, ...middle],
    [span(ageOf(now - lane.session.startedAt).padStart(columns.age), 'quiet')],
    width,
  );
}

function whoSpans({ repo, session }: Lane, id: string, room: number): Line {
  const end = id === '' ? '' : ` ${id}`;
  const branch = session.branch ?? '';
  const left = room - repo.length - end.length - 1;
  return [
    span(cutCells(repo || 'no project', room)),
    span(branch && ` ${cutMiddle(branch, Math.max(6, left))}`),
    span(end, 'quiet'),
  ];
}

/** Sessions of one agent in one place are distinguished by their ids. */
function whoOf({ session, repo }: Lane, lanes: readonly Lane[]): string {
  const alike = lanes.filter(
    (one) =>
      one.session.source === session.source && one.repo === repo && one.session.branch === session.branch,
  );
  if (alike.length < 2) return '';
  return distinctIds(alike.map((one) => one.session.sessionId)).get(session.sessionId) ?? '';
}

/** 46 s, 13 min, 2 h 5 min. */
function ageOf(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return `${Math.max(0, Math.floor(ms / 1_000))} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Clock times at their positions on the axis. */
function axisText(cells: number, from: number, now: number): string {
  const steps = 5;
  // Without seconds the same time would appear twice.
  const isShort = now - from <= steps * 60_000;
  const signs = [...' '.repeat(cells)];
  for (let step = 0; step < steps; step += 1) {
    const at = Math.floor((cells * step) / steps);
    const time = clockTime(from + ((now - from) * step) / steps).slice(0, isShort ? 8 : 5);
    if (at + time.length < cells - 4) signs.splice(at, time.length, ...time);
  }
  signs.splice(cells - 3, 3, ...'now');
  return signs.join('');
}
