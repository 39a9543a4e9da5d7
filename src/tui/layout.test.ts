import { expect, test } from 'vitest';
import { CONNECTED, historyState, NOW, openTestScreen, request } from '../../test/support/tui.ts';
import { cellsOf } from '../terminal/cells.ts';
import { COLOURED } from '../terminal/colour.ts';
import { layOut } from './layout.ts';
import { itemsIn } from './live.ts';
import { painted } from './paint.ts';
import { INITIAL } from './screen.ts';
import { viewOf } from './view.ts';

const bash = (command: string) => ({ tool_name: 'Bash', tool_input: { command }, tool_use_id: command });
const prompt = (session_id: string) => ({
  session_id,
  hook_event_name: 'UserPromptSubmit',
  prompt: 'Fix it.',
});
const before = (session_id: string, command: string) => ({
  session_id,
  hook_event_name: 'PreToolUse',
  ...bash(command),
});

/** 5 approvals, 3 sessions, and enough calls to fill any screen. */
const BUSY = {
  ...historyState(
    ['claude', prompt('c1')],
    ['codex', prompt('01a1e076-cba1-7632-9f65-e1af3cc9feca')],
    ['codex', prompt('01a1e076-cbff-7632-9f65-a11111aaaaaa')],
    ...Array.from({ length: 40 }, (_, at) => ['claude', before('c1', `ls ${at}`)] as const),
  ),
  pending: [
    request('late', 'npm publish', { expiresAt: NOW + 500_000 }),
    request('soon', 'psql -c "TRUNCATE a"', {
      expiresAt: NOW + 48_000,
      asked: { prompt: 'Make sure that a charge is taken once. '.repeat(6), turn: 3 },
      reason: 'It deletes rows of a table and cannot be undone. '.repeat(3).trim(),
    }),
    ...['a', 'b', 'c'].map((id) =>
      request(id, 'docker compose up', { group: 'same', sessionId: id, place: `${id} · main` }),
    ),
  ],
};

test.each([
  [80, 24],
  [100, 30],
  [160, 45],
  [200, 60],
  [60, 16],
  [40, 8],
])('at %i × %i fills every row to the width of the terminal, and leaves none blank', (columns, rows) => {
  const lines = openTestScreen(BUSY, { columns, rows }).rows();
  expect(lines).toHaveLength(rows);
  expect(lines.map(cellsOf)).toEqual(lines.map(() => columns));
  if (rows >= 16) expect(lines.filter((line) => line.trim() === '')).toEqual([]);
  expect(lines.join('\n')).toContain('TRUNCATE');
});

test('80 × 24 has the approvals by expiry, the card, the lanes and the calls, in this order', () => {
  const lines = openTestScreen(BUSY).rows();
  const at = (text: string | RegExp) => lines.findIndex((line) => line.search(text) >= 0);
  expect(lines[0]).toContain('Hookline   5 pending  3 running');
  expect(lines[2]).toMatch(/^▌CX|^▌A/);
  expect(lines[2]).toMatch(/psql -c "TRUNCATE a" +0:48 $/);
  expect(lines[3]).toMatch(/^▏×3 3 sessions, 3 repos +Run docker compose up +1:00 $/);
  expect(lines[4]).toMatch(/npm publish +8:20 $/);
  const order = [
    at(/^▏/),
    at(/wants to run a command +payments-api feat\/idempotency/),
    at('Your prompt'),
    at(/\$ psql/),
    at('! Reason'),
    at(/\[a\] Allow once {3}\[d\] Deny {3}\[m\] More .*0:48 left/),
    at(/Thinking for|Running/),
    at(/Bash ls 39/),
    at('j k move'),
  ];
  expect(order).not.toContain(-1);
  expect(order).toEqual([...order].sort((a, b) => a - b));
});

test('wraps the reason instead of cutting it if it fits', () => {
  const text = openTestScreen(BUSY).text().replaceAll(/\s+/g, ' ');
  expect(text).toContain('It deletes rows of a table and cannot be undone. '.repeat(3).trim());
});

test('160 × 45 has two columns, a table of sessions with an axis, and a legend of its signs', () => {
  const lines = openTestScreen(BUSY, { columns: 160, rows: 45 }).rows();
  expect(lines[2]).toMatch(/^▌.*0:48 │ .*wants to run a command .*turn 3/);
  expect(lines[3]).toMatch(/^▌ {3}Run psql -c "TRUNCATE a" +│ Your prompt/);
  expect(lines.join('\n')).toMatch(/ Session +Doing now +\d\d:\d\d/);
  expect(lines.join('\n')).toContain('◆ denied  ▯ failed  ━ running');
});

test('distinguishes sessions of one agent in one place by the differing part of their IDs', () => {
  const text = openTestScreen(BUSY, { columns: 160, rows: 45 }).text();
  expect(text).toMatch(/shop main +c9feca /);
  expect(text).toMatch(/shop main +aaaaaa /);
});

test('does not show a pending call as running', () => {
  const pending = [request('a', 'touch a', { source: 'claude', sessionId: 'c1' })];
  const state = historyState(['claude', before('c1', 'ls')]);
  const lines = openTestScreen({ ...state, pending, items: itemsIn(state.events, pending, NOW) }).rows();
  expect(lines.find((line) => line.includes('Bash touch a'))).toMatch(/needs approval(?: \(.*\))? *$/);
  expect(lines.find((line) => line.includes('Bash ls'))).toMatch(/running *$/);
});

test('shows all calls without pending approvals', () => {
  const lines = openTestScreen({ ...BUSY, pending: [] }).rows();
  expect(lines[0]).toContain('no pending approvals');
  expect(lines.join('\n')).toContain('No pending approvals. Calls that need approval appear here.');
  expect(lines.filter((line) => line.includes('Bash ls')).length).toBeGreaterThan(10);
  expect(openTestScreen(CONNECTED).text()).toContain('No calls yet.');
});

test('uses the whole screen after a resize, and keeps the open card', () => {
  const { group } = { group: 'late' };
  for (const [columns, rows] of [
    [160, 45],
    [80, 24],
    [120, 20],
  ] as const) {
    const view = viewOf(BUSY, { ...INITIAL, group }, { columns, rows }, NOW, () => true);
    const lines = layOut(view).map((line) => line.map(({ text }) => text).join(''));
    expect(lines).toHaveLength(rows);
    expect(lines.join('\n')).toContain('$ npm publish');
  }
});

test('writes only text if colors are off', () => {
  expect(COLOURED).toBe(false);
  const view = viewOf(BUSY, INITIAL, { columns: 80, rows: 24 }, NOW, () => true);
  const plain = layOut(view).map((line) => painted(line, false));
  expect(plain.join('\n')).not.toContain('\x1b');
  expect(
    layOut(view)
      .map((line) => painted(line, true))
      .join('\n'),
  ).toContain('\x1b[33m');
});

test('does not count a killed agent as running', () => {
  const state = historyState(['claude', prompt('gone')]);
  const later = viewOf(state, INITIAL, { columns: 80, rows: 24 }, NOW + 20 * 60_000, () => true);
  const text = layOut(later)
    .map((line) => painted(line, true))
    .join('\n');
  expect(text).toContain('0 running');
  expect(text).toContain('No activity since');
  for (const color of ['\x1b[32m', '\x1b[34m']) expect(text).not.toContain(color);
});

test('shows problems with the home at the top, in full', () => {
  const alert = {
    code: 'unconfirmed',
    level: 'problem' as const,
    message: '2 changes to config.yaml weaken protection and need your confirmation: packs.git: on → off, ….',
    fix: 'Run `hookline rules confirm`.',
    at: new Date(NOW).toISOString(),
  };
  for (const size of [
    { columns: 80, rows: 24 },
    { columns: 200, rows: 60 },
  ]) {
    const rows = openTestScreen({ ...BUSY, alerts: [alert] }, size).rows();
    const text = rows.slice(0, 5).join(' ').replaceAll(/\s+/g, ' ');
    expect(text).toContain(alert.message);
    expect(text).toContain(alert.fix);
  }
});
