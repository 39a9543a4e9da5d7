import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { ShownApproval } from '../../approvals/approval.ts';
import { createRemoteApprovals } from './elsewhere.ts';
import { createRemoteApprovalList } from './elsewhere-list.ts';
import { answerMessage } from './messages.ts';
import type { Messenger } from './messenger.ts';

const ONE = 'a'.repeat(32);
const OTHER = 'b'.repeat(32);

/** The message of another machine about a pending approval. */
function pending(id: string, input: string = '{}', expiresAt: number = Date.now() + 60_000) {
  const tool = {
    name: 'x',
    nativeName: 'x',
    kind: 'other',
    useId: null,
    mcp: null,
    command: null,
    files: [],
  };
  const shown = {
    ...{ id, eventId: 'e', kind: 'permission', source: 's', sessionId: 's', agentId: null, promptNumber: 1 },
    ...{ toolNumber: 1, projectId: null, cwd: null, question: null, questions: [], reason: null, rules: [] },
    ...{ suggestions: [], asksPermission: true, createdAt: 1, expiresAt, state: 'pending', settledAt: null },
    ...{ settledBy: null, answer: null, place: '', changes: [], covers: null, asked: null, marks: [] },
    ...{ runsWith: [], destructive: false, group: 'g', tool: { ...tool, input: 'INPUT' } },
  };
  return { name: 'desk', shown: JSON.stringify(shown).replace('"INPUT"', input), mayAllow: true };
}

function approvals(ours: readonly string[] = []) {
  const told: ShownApproval[] = [];
  return {
    told,
    ...createRemoteApprovalList(
      (one) => told.push(one),
      (id) => ours.includes(id),
    ),
  };
}

test('lists a pending approval of another machine, once, even if sent again', () => {
  const { add, list } = approvals();
  add(ONE, pending('1'));
  add(ONE, pending('1', '{"a":1}'));
  expect(list()).toMatchObject([{ id: '1', tool: { input: { a: 1 } }, machine: { id: ONE } }]);
  add(ONE, pending('2', '{}', Date.now() - 1));
  expect(list()).toHaveLength(1);
});

test('rejects the ID of an approval pending here or on another machine, because answers name only the ID', () => {
  const { add, list, told } = approvals(['1']);
  add(ONE, pending('1'));
  expect(told).toEqual([]);
  add(ONE, pending('2'));
  add(OTHER, pending('2', '{"a":1}'));
  expect(list()).toMatchObject([{ id: '2', machine: { id: ONE } }]);
});

test('rejects an approval nested too deep to be forwarded', () => {
  const { add, list } = approvals();
  add(ONE, pending('1', `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`));
  expect(list()).toEqual([]);
});

test.each([
  ['an hour behind', -3_600_000],
  ['an hour ahead', 3_600_000],
])('lists an approval of a machine whose clock is %s for as long as it is pending', (_, off) => {
  const { add, list } = approvals();
  const there = pending('1', '{}', Date.now() + off + 60_000);
  add(ONE, { ...there, leftMs: 60_000 });
  const [one] = list();
  expect((one?.expiresAt ?? 0) - Date.now()).toBeGreaterThan(59_000);
  expect((one?.expiresAt ?? 0) - Date.now()).toBeLessThanOrEqual(60_000);
  // An approval that has ended there doesn't become pending here.
  add(OTHER, { ...pending('2', '{}', Date.now() + 3_600_000), leftMs: 0 });
  expect(list()).toHaveLength(1);
});

test('rejects an impossible time', () => {
  const { add, list } = approvals();
  add(ONE, pending('1', '{}', 1e300));
  expect(list()).toEqual([]);
});

test('limits the room for one machine and for all together', () => {
  const { add, list } = approvals();
  const large = JSON.stringify({ a: 'x'.repeat(1 << 20) });
  for (let at = 0; at < 10; at += 1) add(ONE, pending(`1${at}`, large));
  expect(list()).toHaveLength(3);
  for (let machine = 2; machine < 9; machine += 1)
    for (let at = 0; at < 3; at += 1) add(String(machine).repeat(32), pending(`${machine}${at}`, large));
  expect(list()).toHaveLength(15);
});

test('a verdict counts only from the machine that was asked', async () => {
  const hear = new Map<string, (from: string, body: unknown) => void>();
  const sent: unknown[] = [];
  const messenger: Messenger = {
    send: (kind, _, body) => {
      if (kind === 'answer') sent.push(body);
      return true;
    },
    listen: (kind, _, listener) => void hear.set(kind, listener),
    close: () => {},
  };
  const remote = createRemoteApprovals(() => false);
  remote.follow(messenger, { id: 'self', name: 'laptop', publicKey: '' });
  hear.get('pending')?.('desk', pending('1'));
  const [approval] = remote.list();
  if (!approval) throw new Error('it is not listed');
  const answered = remote.answer(approval, { decision: 'deny' }, 'maya');
  const { nonce } = v.parse(answerMessage, sent[0]);
  const verdict = { nonce, counts: true, words: 'Denied.', end: { state: 'denied', by: 'maya' } };
  hear.get('verdict')?.('mallory', verdict);
  hear.get('verdict')?.('desk', { ...verdict, counts: false, end: { state: 'allowed', by: 'dora' } });
  expect(await answered).toMatchObject({ ok: false, approval: { state: 'allowed' } });
});
