import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Approval } from '../../../src/approvals/approval.ts';
import type { SessionBrief } from '../../../src/daemon/web-shapes.ts';
import { itemsOf } from '../../../src/history/calls.ts';
import type { EventBrief } from '../../../src/history/event-brief.ts';
import type { Outcome } from '../../../src/history/outcome.ts';
import { isStory, rowOf } from '../../../src/history/row.ts';
import { sessionState } from '../../../src/history/session-state.ts';
import { folderName } from '../../../src/model/text.ts';
import { clock, sessionLink } from '../format.ts';
import { useLive, useNow } from '../hooks.ts';
import { sessionKey } from '../live.ts';
import { Empty } from './bits.tsx';

const RANGES: readonly (readonly [ms: number, words: string])[] = [
  [60_000, '1 min'],
  [300_000, '5 min'],
  [1_800_000, '30 min'],
];
const LANE_PX = 30;
const MOST_LANES = 12;
const DRAW_MS = 200;
const LOOK_MS = 60_000;

/** One lane a session, time from left to right: calls as bars, prompts as lines, in the colour of their state. */
export function Lanes(): JSX.Element {
  const { state } = useLive();
  const [range, setRange] = useState(60_000);
  const canvas = useRef<HTMLCanvasElement>(null);
  const lanes = state.sessions.slice(0, MOST_LANES);
  const drawn = useRef({ state, lanes, range });
  drawn.current = { state, lanes, range };

  useEffect(() => {
    const timer = window.setInterval(() => {
      const { current } = canvas;
      if (current && !document.hidden) draw(current, drawn.current);
    }, DRAW_MS);
    return () => window.clearInterval(timer);
  }, []);

  return (
    <section class="lanes-box" aria-labelledby="lanes-title">
      <div class="bar">
        <h2 id="lanes-title">Sessions, live</h2>
        <RangeChoice range={range} onChoose={setRange} />
      </div>
      {lanes.length === 0 ? (
        <Empty title="No agent has done anything yet.">
          Run <code>hookline setup</code> for an agent you have, or <code>hookline demo</code> to see three at
          work.
        </Empty>
      ) : (
        <div class="lanes">
          <ul>
            {lanes.map((session) => (
              <li key={sessionKey(session)}>
                <LaneLabel session={session} pending={state.pending} />
              </li>
            ))}
          </ul>
          {/* The same is in the list below, in words. */}
          {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas without a tabindex takes no focus. */}
          <canvas ref={canvas} height={lanes.length * LANE_PX + 18} aria-hidden="true" />
        </div>
      )}
    </section>
  );
}

function RangeChoice({ range, onChoose }: { range: number; onChoose: (ms: number) => void }): JSX.Element {
  return (
    <fieldset class="ranges">
      <legend class="unseen">How far back</legend>
      {RANGES.map(([ms, words]) => (
        <label key={ms}>
          <input type="radio" name="range" checked={range === ms} onChange={() => onChoose(ms)} />
          {words}
        </label>
      ))}
    </fieldset>
  );
}

function LaneLabel({
  session,
  pending,
}: {
  session: SessionBrief;
  pending: readonly Approval[];
}): JSX.Element {
  const waits = pending.some((card) => sessionKey(card) === sessionKey(session));
  const state = sessionState(session, useNow(LOOK_MS));
  const word = waits ? 'waits for you' : state === 'live' ? '' : state;
  return (
    <a href={sessionLink(session)} class="lane-label">
      <span class={`dot ${waits ? 'waiting' : state === 'live' ? 'running' : 'plain'}`} />
      <span class="agent">{session.source}</span>
      <span class="intent">{session.intent ?? folderName(session.cwd)}</span>
      {word && <span class="unseen">{word}</span>}
    </a>
  );
}

interface Drawn {
  readonly state: { readonly events: readonly EventBrief[]; readonly pending: readonly Approval[] };
  readonly lanes: readonly SessionBrief[];
  readonly range: number;
}

function draw(canvas: HTMLCanvasElement, { state, lanes, range }: Drawn): void {
  const scale = window.devicePixelRatio;
  const width = canvas.clientWidth;
  const height = lanes.length * LANE_PX + 18;
  if (canvas.width !== Math.round(width * scale)) canvas.width = Math.round(width * scale);
  if (canvas.height !== Math.round(height * scale)) canvas.height = Math.round(height * scale);
  canvas.style.height = `${height}px`;
  const pen = canvas.getContext('2d');
  if (!pen) return;
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, width, height);
  const colours = coloursOf(canvas);
  const now = Date.now();
  const xOf = (at: number) => ((at - (now - range)) / range) * width;
  const yOf = new Map(lanes.map((session, at) => [sessionKey(session), at * LANE_PX]));

  drawGrid(pen, width, height, now, range, colours.grid, colours.text);
  for (const item of itemsOf(
    state.events.filter(({ timestamp }) => timestamp > now - range - 60_000),
    now,
  )) {
    if (!isStory(item)) continue;
    const one = item.kind === 'call' ? item.call : item.event;
    const y = yOf.get(sessionKey(one));
    if (y === undefined) continue;
    if (item.kind === 'call') {
      const { start, end, outcome } = item.call;
      const x = xOf(start);
      pen.fillStyle = colours.of[outcome];
      pen.fillRect(x, y + 9, Math.max(3, xOf(end ?? start + 400) - x), LANE_PX - 17);
    } else if (item.event.type === 'before_agent') {
      pen.fillStyle = colours.text;
      pen.fillRect(xOf(item.event.timestamp), y + 3, 2, LANE_PX - 6);
    } else {
      pen.fillStyle = colours.of[rowOf(item).outcome ?? 'done'];
      pen.fillRect(xOf(item.event.timestamp), y + 13, 2, LANE_PX - 25);
    }
  }
  for (const card of state.pending) {
    const y = yOf.get(sessionKey(card));
    if (y === undefined) continue;
    const x = Math.max(0, xOf(card.createdAt));
    pen.fillStyle = colours.of.waiting;
    pen.fillRect(x, y + 9, width - x, LANE_PX - 17);
  }
}

function drawGrid(
  pen: CanvasRenderingContext2D,
  width: number,
  height: number,
  now: number,
  range: number,
  line: string,
  text: string,
): void {
  const step = range / 6;
  pen.font = '11px system-ui, sans-serif';
  for (let at = Math.ceil((now - range) / step) * step; at < now; at += step) {
    const x = Math.round(((at - (now - range)) / range) * width);
    pen.fillStyle = line;
    pen.fillRect(x, 0, 1, height - 16);
    pen.fillStyle = text;
    if (x < width - 50) pen.fillText(clock(at), x + 3, height - 4);
  }
}

interface Colours {
  readonly of: Readonly<Record<Outcome, string>>;
  readonly grid: string;
  readonly text: string;
}

let known: { readonly scheme: boolean; readonly colours: Colours } | null = null;

/** From the style sheet, read again when the scheme changes. */
function coloursOf(element: HTMLElement): Colours {
  const scheme = window.matchMedia('(prefers-color-scheme: dark)').matches;
  if (known?.scheme === scheme) return known.colours;
  const style = window.getComputedStyle(element);
  const read = (name: string) => style.getPropertyValue(name);
  const colours = {
    of: {
      done: read('--mark'),
      unknown: read('--mark-soft'),
      running: read('--mark-soft'),
      waiting: read('--waiting'),
      allowed: read('--allowed'),
      denied: read('--denied'),
      failed: read('--failed'),
    },
    grid: read('--line'),
    text: read('--quiet'),
  };
  known = { scheme, colours };
  return colours;
}
