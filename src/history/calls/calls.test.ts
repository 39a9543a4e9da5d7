import { expect, test } from 'vitest';
import type { EventType } from '../../model/events.ts';
import { type Call, type Item, itemsOf } from './calls.ts';
import type { EventBrief } from './event-brief.ts';
import { createItemStream } from './item-stream.ts';
import { isStory, rowOf } from './row.ts';
import { LOST_AFTER_MS, sessionState } from './session-state.ts';

const AT = 1_763_164_800_000;
let rows = 0;

function event(type: EventType, more: Partial<EventBrief> = {}): EventBrief {
  rows += 1;
  const isCall = type.endsWith('_tool') || type.startsWith('permission');
  return {
    row: rows,
    id: `e${rows}`,
    type,
    source: 'claude',
    sessionId: 's1',
    agentId: null,
    promptNumber: 1,
    toolNumber: 1,
    timestamp: AT + rows,
    place: 'shop',
    branch: null,
    tool: isCall ? 'Bash' : null,
    outcome: null,
    durationMs: null,
    subject: isCall ? 'ls' : '',
    decision: 'none',
    delivered: 'none',
    by: [],
    answered: null,
    rules: [],
    degraded: 0,
    waitedMs: 0,
    costMs: 1,
    ...more,
  };
}

function callOf(events: readonly EventBrief[], now = AT + 10_000): Call {
  const calls = itemsOf(events, now).flatMap((item) => (item.kind === 'call' ? [item.call] : []));
  if (calls.length !== 1 || !calls[0]) throw new Error(`${calls.length} calls`);
  return calls[0];
}

const before = (more: Partial<EventBrief> = {}) => event('before_tool', more);
const after = (outcome: string, more: Partial<EventBrief> = {}) => event('after_tool', { outcome, ...more });
const denied = { decision: 'deny', delivered: 'deny', by: ['no-rm'] } as const;
const asked = { decision: 'ask', delivered: 'ask', by: ['careful'] } as const;
const allowed = { decision: 'allow', delivered: 'allow' } as const;

test.each<[words: string, outcome: string, events: readonly EventBrief[]]>([
  ['running', 'running', [before()]],
  ['running, you allowed', 'running', [before({ decision: 'allow', answered: 'you allowed' })]],
  ['you allowed', 'allowed', [before({ decision: 'allow', answered: 'you allowed' }), after('ok')]],
  ['done', 'done', [before(), after('ok')]],
  ['done', 'done', [before(), after('unknown')]],
  ['failed', 'failed', [before({ ...allowed, by: ['r'] }), after('failed')]],
  ['interrupted', 'failed', [before(), after('interrupted')]],
  ['denied by no-rm', 'denied', [before(denied)]],
  ['denied by no-rm +1', 'denied', [before({ ...denied, by: ['no-rm', 'b'] }), after('denied')]],
  ['denied by no-rm, but it ran', 'denied', [before(denied), after('ok')]],
  ["denied, agent can't ask (careful)", 'denied', [before({ ...asked, delivered: 'deny' })]],
  ['you denied', 'denied', [before({ decision: 'deny', delivered: 'deny', answered: 'you denied' })]],
  ['denied in the agent', 'denied', [before(), event('permission_request'), event('permission_denied')]],
  ['denied after it ran by no-rm', 'denied', [before(), after('ok', denied)]],
  ['needs approval in the agent (careful)', 'waiting', [before(asked)]],
  ['needs approval in the agent', 'waiting', [before(), event('permission_request')]],
  ['needs approval', 'waiting', [before(), event('permission_request', { waits: true })]],
  ['needs approval (careful)', 'waiting', [before({ waits: true, by: ['careful'] })]],
  ['allowed in the agent', 'allowed', [before(asked), event('permission_request'), after('ok')]],
  ['running, you allowed', 'running', [before({ ...allowed, answered: 'you allowed' })]],
  ['you allowed', 'allowed', [before({ ...allowed, answered: 'you allowed' }), after('ok')]],
  ['allowed by r', 'allowed', [before({ ...allowed, by: ['r'] }), after('ok')]],
  ['unknown', 'unknown', [before(), event('stop')]],
  ['unknown', 'unknown', [before(), event('session_end')]],
  ['unknown', 'unknown', [before(), event('before_agent')]],
  ['needed approval by careful, no result seen', 'unknown', [before(asked), event('stop')]],
])('%s', (words, outcome, events) => {
  expect(callOf(events)).toMatchObject({ words, outcome });
});

test("a call of a lost session doesn't run forever", () => {
  const call = before();
  const now = call.timestamp + LOST_AFTER_MS;
  expect(callOf([call], now).outcome).toBe('running');
  expect(callOf([call], now + 1).outcome).toBe('unknown');
  const session = { endedAt: null, lastAt: call.timestamp };
  expect(sessionState(session, now)).toBe('live');
  expect(sessionState(session, now + 1)).toBe('lost');
  expect(sessionState({ ...session, endedAt: now }, now + 1)).toBe('ended');
});

test("the end of another agent's turn doesn't end a call", () => {
  const own = before({ agentId: 'sub' });
  expect(callOf([own, event('stop')]).outcome).toBe('running');
  expect(callOf([own, event('subagent_stop', { agentId: 'sub' })]).outcome).toBe('unknown');
});

test('separates the time of a tool, of a person and of Hookline', () => {
  const first = before({ waitedMs: 5_000, costMs: 2 });
  const end = after('ok', { timestamp: first.timestamp + 5_102, costMs: 3 });
  expect(callOf([first, end])).toMatchObject({ durationMs: 100, waitedMs: 5_000, costMs: 5 });
  expect(callOf([first, { ...end, durationMs: 40 }]).durationMs).toBe(40);
  // A clock that was set back.
  expect(callOf([first, { ...end, timestamp: 0 }])).toMatchObject({ durationMs: null, end: first.timestamp });
});

test('rows are in order of time, although a pending call is committed after later ones', () => {
  const later = before({ toolNumber: 2 });
  const waited = before({ toolNumber: 1, timestamp: later.timestamp - 60_000, ...denied });
  const items = itemsOf([later, waited], AT);
  expect(items.map(rowOf).map(({ at }) => at)).toEqual([waited.timestamp, later.timestamp]);
});

test('why a session started or ended stands in parentheses', () => {
  const shown = (one: EventBrief) =>
    itemsOf([one], AT)
      .map(rowOf)
      .map(({ name, subject }) => `${name} ${subject}`);
  expect(shown(event('session_start', { subject: 'startup' }))).toEqual(['session started (startup)']);
  expect(shown(event('session_end', { subject: 'other' }))).toEqual(['session ended (other)']);
  expect(shown(event('session_end', { subject: '' }))).toEqual(['session ended ']);
});

test('leaves out protocol events, unless something was decided', () => {
  const shown = (one: EventBrief) => itemsOf([one], AT).filter(isStory).map(rowOf)[0]?.name;
  for (const type of ['before_model', 'after_model', 'before_tool_selection', 'pre_compact'] as const)
    expect(shown(event(type))).toBeUndefined();
  expect(shown(event('before_model', denied))).toBe('model request');
  expect(shown(event('before_agent'))).toBe('prompt');
  expect(shown(event('after_agent'))).toBeUndefined();
  expect(shown(event('after_agent', { subject: 'Done.' }))).toBe('reply');
  expect(shown(event('notification', { subject: 'Waits.' }))).toBeUndefined();
  expect(shown(event('notification', { source: 'hookline', subject: 'Alert: x' }))).toBe('notification');
});

const wordsIn = (items: readonly Item[]) => items.map((item) => rowOf(item).words || rowOf(item).name);

test('a stream shows a pending call at once, a slow one later, and then its end', () => {
  const stream = createItemStream();
  const rowsOf = (one: EventBrief) => wordsIn(stream.next(one));
  const slow = (ms: number) => wordsIn(stream.slow(AT + rows + ms));
  const held = before({ waits: true, by: ['careful'] });
  expect(rowsOf(held)).toEqual(['needs approval (careful)']);
  expect(rowsOf(before({ ...allowed, id: held.id, answered: 'you allowed' }))).toEqual([]);
  expect(slow(1_000)).toEqual([]);
  expect(slow(2_000)).toEqual(['running, you allowed']);
  expect(slow(9_000)).toEqual([]);
  expect(rowsOf(after('ok'))).toEqual(['you allowed']);
  expect(slow(9_000)).toEqual([]);
  expect(rowsOf(before({ toolNumber: 2, ...asked }))).toEqual(['needs approval in the agent (careful)']);
  expect(rowsOf(event('stop'))).toEqual(['needed approval by careful, no result seen']);
});

test('a stream shows a quick call once, when its outcome is known', () => {
  const stream = createItemStream();
  const rowsOf = (one: EventBrief) => wordsIn(stream.next(one));
  expect(rowsOf(event('before_agent'))).toEqual(['prompt']);
  expect(rowsOf(before({ toolNumber: 1 }))).toEqual([]);
  expect(rowsOf(before({ toolNumber: 2 }))).toEqual([]);
  expect(rowsOf(before({ toolNumber: 3, ...denied }))).toEqual(['denied by no-rm']);
  expect(rowsOf(after('ok', { toolNumber: 2 }))).toEqual(['done']);
  expect(rowsOf(event('before_model'))).toEqual([]);
  expect(rowsOf(event('stop', { subject: 'Done.' }))).toEqual(['unknown', 'reply']);
  // Late, and contradicts the earlier outcome.
  expect(rowsOf(after('denied', { toolNumber: 3 }))).toEqual([]);
  expect(rowsOf(after('ok', { toolNumber: 3 }))).toEqual(['denied by no-rm, but it ran']);
});
