import { grantPreview } from '../approvals/approval.ts';
import { alertText } from '../model/alert.ts';
import { awayText, stillAway } from '../model/people/away.ts';
import { stillUnlocked, unlockedText } from '../model/people/unlocked.ts';
import { cardLines } from './card.ts';
import { feedRows } from './feed.ts';
import { helpLines, MORE } from './keys.ts';
import { laneRows, laneTable } from './lane-lines.ts';
import { isActive } from './lanes.ts';
import { between, broken, EMPTY, fitted, type Line, line, span, wrapped } from './line.ts';
import { answeredRows, queueColumn, queueRows } from './queue.ts';
import type { View } from './view.ts';

/** From this width on the screen has 2 columns. */
const WIDE = 120;
/** Below this width the open card uses the whole screen. */
const NARROW = 80;
const QUEUE_COLUMN = 46;

/** The whole screen: as many rows as the terminal has, each as wide as the terminal. */
export function layOut(view: View): readonly Line[] {
  const { columns, rows } = view.size;
  const head = headLines(view);
  const body = bodyLines(view, rows - head.length - 1);
  const lines = [...filled([...head, ...body], rows - 1), footLine(view)];
  return overlaid(view, lines).map((one) => fitted(one, columns));
}

function filled(lines: readonly Line[], height: number): readonly Line[] {
  return Array.from({ length: height }, (_, at) => lines[at] ?? EMPTY);
}

function rule({ size: { columns } }: View): Line {
  return line('─'.repeat(columns), 'quiet');
}

const HOUR_MS = 3_600_000;

function headLines(view: View): readonly Line[] {
  const { state, groups, lanes, screen, now, size } = view;
  const pending = groups.reduce((sum, { ids }) => sum + ids.length, 0);
  const running = lanes.filter(isActive).length;
  const left = [
    span(' Hookline', 'bold'),
    pending > 0 ? span(`   ${pending} pending`, 'waiting', 'bold') : span('   no pending approvals', 'quiet'),
    span(`  ${running} running`, ...(running > 0 ? (['running'] as const) : (['quiet'] as const))),
    ...(state.connected ? [] : [span('  connecting to the daemon …', 'denied')]),
    ...(screen.filter === '' ? [] : [span(`  filter “${screen.filter}”`, 'quiet')]),
    ...(screen.paused ? [span('  calls paused', 'waiting')] : []),
  ];
  const recently = view.denied.filter(({ at }) => now - at < HOUR_MS).length;
  if (size.columns >= WIDE && recently > 0)
    left.push(span(`  ${recently} denied in the last hour`, 'denied'));
  const until = stillUnlocked(state.unlockedUntil, now);
  const away = stillAway(state.away, now);
  return [
    between(left, line('? keys  q quit ', 'quiet'), size.columns),
    ...(until === null
      ? []
      : wrapped(unlockedText(until), size.columns - 2, 'denied').map((one) => [span(' '), ...one])),
    ...(away === null
      ? []
      : wrapped(awayText(away), size.columns - 2, 'waiting').map((one) => [span(' '), ...one])),
    ...state.alerts
      .filter(({ level }) => level === 'problem')
      .flatMap((alert) => wrapped(alertText(alert), size.columns - 2, 'denied'))
      .map((one) => [span(' '), ...one]),
    rule(view),
  ];
}

function bodyLines(view: View, height: number): readonly Line[] {
  const { screen, size, open } = view;
  if (screen.mode === 'help') return helpLines().slice(screen.top, screen.top + height);
  if (screen.mode === 'full') return view.full.slice(screen.top, screen.top + height);
  if (!open) return restLines(view, height);
  return size.columns >= WIDE ? wideLines(view, open, height) : narrowLines(view, open, height);
}

type Open = NonNullable<View['open']>;

/** Without pending approvals: sessions and calls. */
function restLines(view: View, height: number): readonly Line[] {
  const { lanes, rows, size, now, screen } = view;
  const width = size.columns;
  const isWide = width >= WIDE;
  const words = 'No pending approvals. Calls that need approval appear here.';
  const empty = wrapped(words, width - 2, 'quiet').map((one) => [span(' '), ...one]);
  const most = Math.max(1, Math.floor(height / 3));
  const shown = { lanes, width, now, height: Math.min(most, lanes.length + (isWide ? 2 : 0)) };
  const sessions = lanes.length === 0 ? [] : isWide ? laneTable(shown) : laneRows(shown);
  const above = [...empty, rule(view), ...sessions, ...(sessions.length > 0 ? [rule(view)] : [])];
  const room = height - above.length;
  return [...above, ...feedRows({ rows, selected: screen.row, focused: true, height: room, width })];
}

/** Rows for the parts below the card; the card gets the rest. */
function partsOf(view: View, height: number): { readonly lanes: number; readonly calls: number } {
  if (height < 14 || view.size.columns < NARROW) return { lanes: 0, calls: 0 };
  const lanes = Math.min(view.lanes.length, Math.max(3, Math.floor(height / 6)));
  return {
    lanes,
    calls: view.focus === 'calls' ? Math.floor(height / 3) : Math.max(1, Math.floor(height / 12)),
  };
}

function narrowLines(view: View, open: Open, height: number): readonly Line[] {
  const { groups, size, now, lanes } = view;
  const width = size.columns;
  const parts = partsOf(view, height);
  const isSmall = parts.calls === 0;
  const most = isSmall ? 1 : Math.max(3, Math.floor(height / 4));
  const queue = queueRows({ groups, selected: open, width, height: Math.min(groups.length, most), now });
  const rules = isSmall ? 1 : 2;
  const room = Math.max(4, height - queue.length - rules - parts.lanes - parts.calls);
  const card = openLines(view, open, width, room);
  const sessions = laneRows({ lanes, width, height: parts.lanes, now });
  const left = height - queue.length - 2 - card.length - sessions.length;
  const below = left < 1 ? [] : [rule(view), ...sessions, ...lowerRows(view, left)];
  return [...queue, rule(view), ...card, ...below];
}

function wideLines(view: View, open: Open, height: number): readonly Line[] {
  const { groups, size, now, lanes, state } = view;
  const width = size.columns;
  const parts = partsOf(view, height);
  const table = parts.lanes === 0 ? 0 : parts.lanes + 2;
  const callRows = Math.max(parts.calls, Math.floor(height / 5));
  const top = Math.max(8, height - table - callRows - 2);
  const card = openLines(view, open, width - QUEUE_COLUMN - 2, top);
  const tall = Math.max(Math.min(top, Math.max(card.length, groups.length * 2 + 5)), 8);
  const queue = queueColumn({ groups, selected: open, width: QUEUE_COLUMN, height: tall, now });
  const answered = answeredRows(state.recent, QUEUE_COLUMN, Math.min(4, tall - queue.length));
  const left = [...queue, ...answered];
  const above = Array.from({ length: tall }, (_, at) => [
    ...fitted(left[at] ?? EMPTY, QUEUE_COLUMN),
    span('│', 'quiet'),
    ...(card[at] ?? EMPTY),
  ]);
  const sessions = laneTable({ lanes, width, height: table, now });
  const used = tall + 2 + sessions.length;
  return [...above, rule(view), ...sessions, rule(view), ...lowerRows(view, height - used)];
}

/** All calls; only the denied ones if there is little room. */
function lowerRows({ rows, denied, screen, focus, size }: View, height: number): readonly Line[] {
  const isShort = height <= 2 && focus !== 'calls';
  const shown = isShort && denied.length > 0 ? denied : rows;
  const selected = isShort ? null : screen.row;
  return feedRows({ rows: shown, selected, focused: focus === 'calls', height, width: size.columns });
}

function openLines(view: View, open: Open, width: number, height: number): readonly Line[] {
  const { chosen, now, isArmed, screen } = view;
  const card = cardLines(open, { width, height, chosen, now, isArmed });
  return screen.mode === 'more' ? moreLines(open, width, height) : card;
}

function moreLines({ first }: Open, width: number, height: number): readonly Line[] {
  const offered = MORE.filter(([key]) => key !== 'v' || first.tool?.mcp);
  const keys = offered.map(([key, meaning]) => [span(` [${key}]`, 'bold'), span(` ${meaning}`)]);
  const isTight = height < keys.length + 3;
  const half = Math.ceil(keys.length / 2);
  const rows = isTight
    ? keys
        .slice(0, half)
        .map((one, at) => [...fitted(one, Math.floor(width / 2)), ...(keys[at + half] ?? EMPTY)])
    : keys;
  return [
    line(' More answers   Esc back', 'bold'),
    ...rows,
    ...(first.tool === null
      ? []
      : wrapped(grantPreview(first), width - 2, 'quiet').map((one) => [span(' '), ...one])),
  ].slice(0, height);
}

const NOTE_MS = 8_000;

function footLine({ state, screen, now, open, size }: View): Line {
  const { note } = state;
  if (note && (now - note.at < NOTE_MS || !state.connected)) return line(` ${note.text}`);
  if (screen.mode === 'help' || screen.mode === 'full')
    return line(
      ` ↑ ↓ scroll   Esc back${open && screen.mode === 'full' ? '   a allow   d deny   m more' : ''}`,
      'quiet',
    );
  const isWide = size.columns >= WIDE;
  return line(
    open
      ? ` j k move   a allow   d deny   m more   Space details   Tab calls${isWide ? '   e edit   f filter' : ''}   ? keys`
      : ` j k move   Space details   f filter   p protocol${isWide ? '   w continue   z pause' : ''}   ? keys   q quit`,
    'quiet',
  );
}

const MOST_INPUT = 8;

/** Draws the input over the last rows, so that nothing above it moves. */
function overlaid({ screen, size }: View, lines: readonly Line[]): readonly Line[] {
  const { input } = screen;
  if (!input) return lines;
  const width = size.columns - 2;
  const typed = `${input.text}▏`.split('\n').flatMap((one) => broken(line(one), width - 1, ''));
  const most = Math.max(1, Math.min(MOST_INPUT, size.rows - 3));
  const shown = typed.slice(-most);
  const hint = 'Enter sends   Ctrl-J new line   Esc back ';
  const box = [
    between([span(` ${input.label}:`, 'bold')], line(` ${hint}`, 'quiet'), size.columns),
    ...shown.map((one) => [span('  '), ...one]),
  ];
  return [...lines.slice(0, lines.length - box.length), ...box];
}
