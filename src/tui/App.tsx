import { Box, Text, useApp, useStdout } from 'ink';
import { type ReactNode, useEffect, useReducer, useRef, useState, useSyncExternalStore } from 'react';
import { Cards } from './Cards.tsx';
import { groupCards } from './card-lines.ts';
import { cardDetail, Detail, eventDetail } from './Detail.tsx';
import { Feed, subjectOf } from './Feed.tsx';
import { KEYS } from './keys.ts';
import type { Live } from './live.ts';
import { type Change, INITIAL, reduce, type Screen } from './screen.ts';
import { useKeys } from './use-keys.ts';

/** `hookline watch`: all agents on one screen, and the place to answer them. */
export function App({ live }: { live: Live }): ReactNode {
  const { exit } = useApp();
  const { rows, columns } = useSize();
  const state = useSyncExternalStore(live.subscribe, live.state);
  const [screen, dispatch, latest] = useScreen();
  const now = useClock();

  const shown = screen.held ?? state.events;
  const word = screen.filter.toLowerCase();
  const events =
    word === ''
      ? shown
      : shown.filter((event) =>
          `${event.source} ${event.type} ${subjectOf(event)}`.toLowerCase().includes(word),
        );
  const groups = groupCards(state.pending);
  const card = groups[Math.min(screen.card, groups.length - 1)] ?? null;
  const event = events.find(({ id }) => id === screen.event) ?? events.at(-1) ?? null;
  // With nothing to answer there is only the feed to move in.
  const focus = groups.length === 0 ? 'events' : screen.focus;

  // One line less than there is: a full screen makes the terminal scroll, and that flickers.
  const height = rows - 1;
  const cardsHeight =
    groups.length === 0
      ? 1
      : Math.min(Math.floor(height / 2), groups.length + Math.max(4, Math.floor(height / 3)));
  const bodyHeight = height - 2;
  const detail = focus === 'cards' && card ? cardDetail(card) : event ? eventDetail(event) : [];
  const lastTop = Math.max(0, detail.length - bodyHeight);
  useKeys({ live, screen: latest, dispatch, exit, groups, card, events, event, focus, lastTop });
  return (
    <Box flexDirection="column" width={columns} height={height}>
      <Header
        connected={state.connected}
        waiting={state.pending.length}
        events={state.events.length}
        held={screen.held !== null}
      />
      {screen.mode === 'help' ? (
        <Detail
          lines={KEYS.map(([keys, meaning]) => `  ${keys.padEnd(10)} ${meaning}`)}
          top={0}
          height={bodyHeight}
        />
      ) : screen.mode === 'detail' ? (
        <Detail lines={detail} top={screen.top} height={bodyHeight} />
      ) : (
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
            events={events}
            selected={screen.event}
            focused={focus === 'events'}
            height={bodyHeight - cardsHeight - 1}
          />
        </>
      )}
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

function Header({
  connected,
  waiting,
  events,
  held,
}: {
  connected: boolean;
  waiting: number;
  events: number;
  held: boolean;
}): ReactNode {
  return (
    <Text wrap="truncate">
      <Text bold>hookline</Text> {connected ? '' : <Text color="red">looking for the daemon … </Text>}
      {waiting > 0 ? <Text color="yellow">{waiting} waiting</Text> : 'nothing waiting'}, {events} events
      {held ? ', held still' : ''}
    </Text>
  );
}

function Footer({ note, mode }: { note: string | null; mode: string }): ReactNode {
  if (note !== null) return <Text>{note}</Text>;
  const hints = {
    list: 'a allow  d deny  A longer  e edit  enter details  f filter  ? help  q leave',
    detail: '↑↓ scroll  enter back  a allow  d deny',
    help: '? back',
    scope: 'for how long?  s session  b branch  p project  g for good  v MCP server  esc',
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
