import { isStory, type Row, rowOf } from '../history/calls/row.ts';
import type { StoredEvent } from '../store/read/stored-event.ts';
import { callLines } from './call-lines.ts';
import { fullCard } from './card.ts';
import type { Chosen } from './card-lines.ts';
import { groupRequests, type RequestGroup } from './groups.ts';
import { type Lane, lanesOf } from './lanes.ts';
import type { Line } from './line.ts';
import { briefOf, type LiveState } from './live.ts';
import type { Screen } from './screen.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** What there is to show now, before it is laid out. Keys act on the one that was drawn last. */
export interface View {
  readonly state: LiveState;
  /** As it was drawn, with the open request in it. */
  readonly screen: Screen;
  readonly size: Size;
  readonly now: number;
  readonly groups: readonly RequestGroup[];
  /** The open request. */
  readonly open: RequestGroup | null;
  readonly isArmed: boolean;
  readonly chosen: Chosen;
  readonly lanes: readonly Lane[];
  readonly rows: readonly Row[];
  /** Of those, what was stopped. */
  readonly denied: readonly Row[];
  readonly focus: 'queue' | 'calls';
  /** What the selected row is about. */
  readonly event: StoredEvent | null;
  /** All lines of what fills the screen, where something does. */
  readonly full: readonly Line[];
}

export function viewOf(
  state: LiveState,
  before: Screen,
  size: Size,
  now: number,
  isArmed: (group: string) => boolean,
): View {
  const rows = rowsOf(state, before);
  const groups = groupRequests(state.pending);
  const open = groups.find(({ key }) => key === before.group) ?? groups[0] ?? null;
  const screen = withOpen(before, open?.key ?? null);
  const row = rows.find(({ key }) => key === screen.row) ?? rows.at(-1) ?? null;
  const event = row && (state.events.find(({ id }) => id === row.id) ?? null);
  // With nothing to answer there are only the calls to move in.
  const focus = groups.length === 0 ? 'calls' : screen.focus;
  const chosen = open && open.key === screen.chosenFor ? screen.chosen : {};
  const isFull = screen.mode === 'full';
  return {
    state,
    screen,
    size,
    now,
    groups,
    open,
    isArmed: open !== null && isArmed(open.key),
    chosen,
    lanes: lanesOf(state.sessions, state.events.map(briefOf), state.items, state.pending, now),
    rows,
    denied: rows.filter(({ outcome }) => outcome === 'denied'),
    focus,
    event,
    full: !isFull
      ? []
      : focus === 'queue' && open
        ? fullCard(open, size.columns, chosen)
        : row && event
          ? callLines(row, event, size.columns)
          : [],
  };
}

/** What is open stays open, whatever joins the queue; what was opened for a request that has ended closes with it. */
function withOpen(screen: Screen, group: string | null): Screen {
  if (group === screen.group) return screen;
  const isAbout = screen.mode === 'more' || (screen.mode === 'full' && screen.focus === 'queue');
  const isClosed = isAbout && screen.group !== null;
  return { ...screen, group, ...(isClosed ? { mode: 'now', top: 0 } : {}) };
}

function rowsOf(state: LiveState, { filter, protocol, paused }: Screen): readonly Row[] {
  const word = filter.toLowerCase();
  return (paused ?? state.items)
    .filter((item) => protocol || isStory(item))
    .map(rowOf)
    .filter(({ source, place, name, subject, words }) =>
      `${source} ${place} ${name} ${subject} ${words}`.toLowerCase().includes(word),
    );
}
