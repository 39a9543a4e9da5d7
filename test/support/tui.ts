import type { Reply, ShownApproval } from '../../src/approvals/approval.ts';
import type { ToolCall } from '../../src/model/tools.ts';
import { listEvents, listSessions } from '../../src/store/read/queries.ts';
import { createKeyReader } from '../../src/tui/keyboard.ts';
import { layOut } from '../../src/tui/layout.ts';
import { EMPTY_STATE, itemsIn, type Live, type LiveState } from '../../src/tui/live.ts';
import { press } from '../../src/tui/press.ts';
import { INITIAL, type Screen } from '../../src/tui/screen.ts';
import { type Size, type View, viewOf } from '../../src/tui/view.ts';
import { shownCard } from './approvals.ts';
import { openTestHistory } from './history/history.ts';
import { bash } from './store/store.ts';

export const NOW = 1_700_000_100_000;

/** Connected, without events. */
export const CONNECTED: LiveState = { ...EMPTY_STATE, connected: true };

/** A pending approval of a command. */
export function request(id: string, command: string, more: Partial<ShownApproval> = {}): ShownApproval {
  const tool: ToolCall = bash(command);
  return {
    ...shownCard(id, { tool, reason: 'This needs your approval.', rules: ['look'] }),
    place: 'payments-api · feat/idempotency',
    expiresAt: NOW + 60_000,
    createdAt: NOW - 10_000,
    ...more,
  };
}

/** The events that agents sent, as the screen gets them. */
export function historyState(...sent: readonly (readonly [agent: string, payload: object])[]): LiveState {
  const { db, send } = openTestHistory();
  for (const [at, [agent, payload]] of sent.entries())
    send(agent, { cwd: '/work/shop', ...payload }, NOW - 60_000 + at * 1_000);
  const events = listEvents(db);
  const sessions = listSessions(db).map((session) => ({ ...session, branch: 'main' }));
  db.close();
  return { ...CONNECTED, events, items: itemsIn(events, [], NOW), sessions };
}

/** The terminal UI without a terminal: keys go in, rows and answers come out. */
export function openTestScreen(state: LiveState, size: Size = { columns: 80, rows: 24 }) {
  const answers: { ids: readonly string[]; answer: Reply }[] = [];
  let current = state;
  let screen: Screen = INITIAL;
  let isArmed = true;
  let isOpen = true;
  const live = testLive(
    () => current,
    (ids, answer) => void answers.push({ ids, answer }),
  );
  const view = (): View => {
    const seen = viewOf(current, screen, size, NOW, () => isArmed);
    screen = seen.screen;
    return seen;
  };
  const reader = createKeyReader((key) =>
    press(
      {
        live,
        view: view(),
        screen: () => screen,
        change: (some) => {
          screen = { ...screen, ...some };
        },
        exit: () => {
          isOpen = false;
        },
      },
      key,
    ),
  );
  view();
  return {
    answers,
    keys: reader.read,
    isOpen: () => isOpen,
    pause: (isPaused: boolean) => {
      isArmed = !isPaused;
    },
    now: (next: Partial<LiveState>) => {
      current = { ...current, ...next };
      view();
    },
    rows: () => textOf(view()),
    text: () => textOf(view()).join('\n'),
  };
}

function textOf(view: View): readonly string[] {
  return layOut(view).map((line) => line.map(({ text }) => text).join(''));
}

function testLive(state: Live['state'], answer: Live['answer']): Live {
  const nothing = () => {};
  return { state, answer, subscribe: () => nothing, keepGoing: nothing, toggleGate: nothing, close: nothing };
}
