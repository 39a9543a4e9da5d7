import { Box, useApp, useStdout } from 'ink';
import { type ReactNode, useEffect, useReducer, useRef, useState, useSyncExternalStore } from 'react';
import type { Item } from '../history/calls.ts';
import { isStory, type Row, rowOf } from '../history/row.ts';
import { stillUnlocked, unlockedText } from '../model/unlocked.ts';
import { Cards } from './Cards.tsx';
import { groupCards } from './card-lines.ts';
import { cardDetail, Detail, eventDetail } from './Detail.tsx';
import { Feed } from './Feed.tsx';
import { KEYS } from './keys.ts';
import type { Live, LiveState } from './live.ts';
import { type Change, INITIAL, reduce, type Screen } from './screen.ts';
import { Text } from './Text.tsx';
import { useKeys } from './use-keys.ts';

/** `hookline watch`: all agents on one screen, and the place to answer them. */
export function App({ live }: { live: Live }): ReactNode {
  const { exit } = useApp();
  const { rows, columns } = useSize();
  const state = useSyncExternalStore(live.subscribe, live.state);
  const [screen, dispatch, latest] = useScreen();
  const now = useClock();
  const view = viewOf(state, screen, rows);
  useKeys({ live, screen: latest, dispatch, exit, ...view });
  return (
    <Box flexDirection="column" width={columns} height={view.height}>
      <Header
        connected={state.connected}
        waiting={state.pending.length}
        rows={view.rows.length}
        held={screen.held !== null}
        unlockedUntil={stillUnlocked(state.unlockedUntil, now)}
      />
      <Body view={view} screen={screen} columns={columns} now={now} />
      <Text wrap="truncate">
        {screen.input ? (
          <Text>
            <Text bold>{screen.input.label}</Text> {screen.input.text}▏
          </Text>
        ) : (
          <Footer note={state.note} mode={screen.mode} />
        )}
      </Text>
    </Box>
  );
}

/** What is shown of all there is, and how much room it has. */
function viewOf(state: LiveState, screen: Screen, rows: number) {
  const shown = rowsOf(screen.held ?? state.items, screen);
  const groups = groupCards(state.pending);
  const card = groups[Math.min(screen.card, groups.length - 1)] ?? null;
  const row = shown.find(({ key }) => key === screen.row) ?? shown.at(-1) ?? null;
  const event = row && (state.events.find(({ id }) => id === row.id) ?? null);
  // With nothing to answer there is only the feed to move in.
  const focus = groups.length === 0 ? 'rows' : screen.focus;
  // One line less than there is: a full screen makes the terminal scroll, and that flickers.
  const height = rows - 1;
  const cardsHeight =
    groups.length === 0
      ? 1
      : Math.min(Math.floor(height / 2), groups.length + Math.max(4, Math.floor(height / 3)));
  const bodyHeight = height - 2;
  const detail = focus === 'cards' && card ? cardDetail(card) : row && event ? eventDetail(row, event) : [];
  const lastTop = Math.max(0, detail.length - bodyHeight);
  return {
    rows: shown,
    groups,
    card,
    event,
    focus,
    height,
    cardsHeight,
    bodyHeight,
    detail,
    lastTop,
  } as const;
}

function rowsOf(items: readonly Item[], { filter, protocol }: Screen): readonly Row[] {
  const word = filter.toLowerCase();
  return items
    .filter((item) => protocol || isStory(item))
    .map(rowOf)
    .filter(({ source, place, name, subject, words }) =>
      `${source} ${place} ${name} ${subject} ${words}`.toLowerCase().includes(word),
    );
}

function Body({
  view,
  screen,
  columns,
  now,
}: {
  view: ReturnType<typeof viewOf>;
  screen: Screen;
  columns: number;
  now: number;
}): ReactNode {
  const { groups, card, rows, focus, detail, cardsHeight, bodyHeight } = view;
  if (screen.mode === 'help') {
    const lines = KEYS.map(([keys, meaning]) => `  ${keys.padEnd(10)} ${meaning}`);
    return <Detail lines={lines} top={0} height={bodyHeight} />;
  }
  if (screen.mode === 'detail') return <Detail lines={detail} top={screen.top} height={bodyHeight} />;
  return (
    <>
      <Cards
        groups={groups}
        selected={card ? groups.indexOf(card) : 0}
        focused={focus === 'cards'}
        height={cardsHeight}
        chosen={screen.chosen}
        now={now}
      />
      <Text dimColor>{'─'.repeat(columns)}</Text>
      <Feed
        rows={rows}
        selected={screen.row}
        focused={focus === 'rows'}
        height={bodyHeight - cardsHeight - 1}
        width={columns}
      />
    </>
  );
}

function Header({
  connected,
  waiting,
  rows,
  held,
  unlockedUntil,
}: {
  connected: boolean;
  waiting: number;
  rows: number;
  held: boolean;
  unlockedUntil: string | null;
}): ReactNode {
  return (
    <Text wrap="truncate">
      <Text bold>hookline</Text> {connected ? '' : <Text color="red">looking for the daemon … </Text>}
      {waiting > 0 ? <Text color="yellow">{waiting} waiting</Text> : 'nothing waiting'}, {rows} rows
      {held ? ', held still' : ''}
      {unlockedUntil === null ? '' : <Text color="red"> {unlockedText(unlockedUntil)}</Text>}
    </Text>
  );
}

function Footer({ note, mode }: { note: string | null; mode: string }): ReactNode {
  if (note !== null) return <Text>{note}</Text>;
  const hints = {
    list: 'a allow  d deny  A longer  e edit  enter details  f filter  ? help  q leave',
    detail: '↑↓ scroll  enter back  a allow  d deny',
    help: '? back',
    scope: 'for how long?  s session  b branch  p project  g permanently  v MCP server  esc',
  }[mode];
  return <Text dimColor>{hints}</Text>;
}

/** The screen, and a way to see it as it is between two drawings. */
function useScreen(): [Screen, (change: Change) => void, () => Screen] {
  const current = useRef(INITIAL);
  const [, draw] = useReducer((times: number) => times + 1, 0);
  const dispatch = (change: Change) => {
    current.current = reduce(current.current, change);
    draw();
  };
  return [current.current, dispatch, () => current.current];
}

function useSize(): { rows: number; columns: number } {
  const { stdout } = useStdout();
  const [size, setSize] = useState({ rows: stdout.rows ?? 24, columns: stdout.columns ?? 80 });
  useEffect(() => {
    const changed = () => setSize({ rows: stdout.rows ?? 24, columns: stdout.columns ?? 80 });
    stdout.on('resize', changed);
    return () => {
      stdout.off('resize', changed);
    };
  }, [stdout]);
  return size;
}

/** A second hand, for cards that run out. */
function useClock(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
