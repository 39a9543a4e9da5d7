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

/** The content of the screen before layout. Keys act on the view that was drawn last. */
export interface View {
  readonly state: LiveState;
  /** The screen as drawn, with the open approval. */
  readonly screen: Screen;
  readonly size: Size;
  readonly now: number;
  readonly groups: readonly RequestGroup[];
  /** The open approval. */
  readonly open: RequestGroup | null;
  readonly isArmed: boolean;
  readonly chosen: Chosen;
  readonly lanes: readonly Lane[];
  readonly rows: readonly Row[];
  /** The denied ones among them. */
  readonly denied: readonly Row[];
  readonly focus: 'queue' | 'calls';
  /** The event of the selected row. */
  readonly event: StoredEvent | null;
  /** All lines of a full-screen text; empty without one. */
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
  // Without approvals the keys move in the calls.
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

/** The open approval stays open when others arrive. A menu or details view closes with its approval. */
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
