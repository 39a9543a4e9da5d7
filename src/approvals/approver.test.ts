import { expect, test } from 'vitest';
import { card } from '../../test/support/approvals.ts';
import { eventBase } from '../model/event-base.ts';
import type { EventOf } from '../model/events.ts';
import { allow, ask, none } from '../model/responses.ts';
import { createApprover } from './approver.ts';
import { createApprovalQueue } from './queue.ts';
import type { RunPolicy } from './runs.ts';

const tool = {
  name: 'Bash',
  nativeName: 'bash',
  kind: 'shell',
  input: {},
  useId: null,
  mcp: null,
  command: 'ls',
  files: [],
} as const;
const request: EventOf<'permission_request'> = {
  ...eventBase({ id: 'e', source: 'agent', sessionId: 's', timestamp: 0 }),
  type: 'permission_request',
  tool,
  suggestions: [],
};
const asking = { timeoutMs: 60_000, hold: () => {}, questions: [], answered: () => ({}) };

/** A queue that allows everything at once and counts its cards. */
function approving(run: RunPolicy | null = null) {
  const cards: string[] = [];
  const queue = createApprovalQueue(
    { save: () => {}, find: () => null, pending: () => [], ofEvent: () => null, kept: (one) => one },
    { now: () => 0, after: () => () => {} },
  );
  const approver = createApprover({
    queue: {
      ...queue,
      ask: async ({ id }) => {
        cards.push(id);
        return card(id, { state: 'allowed', settledBy: 'ann', answer: { decision: 'allow' } });
      },
    },
    newId: () => 'c',
    now: () => 0,
    attended: () => true,
    waitMs: 10_000,
    onExpiry: 'none',
    runOf: () => run,
  });
  return { cards, approver };
}

test('a permission request needs a person', async () => {
  const { cards, approver } = approving();
  expect((await approver.approve(request, none(), [], asking))?.response.decision).toBe('allow');
  expect(cards).toHaveLength(1);
});

test("doesn't ask about a call whose caller disconnected while rules were reloaded", async () => {
  const { cards, approver } = approving();
  const gone = new AbortController();
  const answer = approver.approve(request, none(), [], { ...asking, gone: () => gone.signal });
  // Like a connection that closed in the meantime: the event loop reports it only now.
  setImmediate(() => gone.abort());
  expect(await answer).toBeNull();
  expect(cards).toEqual([]);
});

test('a permission request that may be unnecessary waits only if a rule asks', async () => {
  const { cards, approver } = approving();
  const unsure = { ...request, unsure: true } as const;
  expect(await approver.approve(unsure, none(), [], asking)).toBeNull();
  expect(cards).toEqual([]);
  await approver.approve(unsure, ask('Look at this.'), [], asking);
  expect(cards).toHaveLength(1);
});

const question: EventOf<'before_tool'> = {
  ...eventBase({ id: 'q', source: 'agent', sessionId: 's', timestamp: 0 }),
  type: 'before_tool',
  tool: { ...tool, name: 'AskUserQuestion', kind: 'question', command: null },
};
const call: EventOf<'before_tool'> = { ...question, tool };

const DENY: RunPolicy = { onPermission: 'deny', onQuestion: 'deny' };
const RULES: RunPolicy = { onPermission: 'rules', onQuestion: 'deny' };
const ASK: RunPolicy = { onPermission: 'ask', onQuestion: 'ask' };

test('a run with policy deny answers without waiting', async () => {
  const { cards, approver } = approving(DENY);
  for (const [event, response] of [
    [request, none()],
    [request, ask('Look at this.')],
    [call, ask('Look at this.')],
    [question, none()],
  ] as const)
    expect((await approver.approve(event, response, [], asking))?.response.decision).toBe('deny');
  // Nothing here asks a person.
  expect(await approver.approve(call, none(), [], asking)).toBeNull();
  expect(await approver.approve({ ...request, unsure: true }, none(), [], asking)).toBeNull();
  expect(await approver.approve(call, allow(), [], asking)).toBeNull();
  expect(cards).toEqual([]);
});

test('a run that leaves it to the agent makes no decision, even with a person present', async () => {
  const { cards, approver } = approving(RULES);
  expect(await approver.approve(request, none(), [], asking)).toBeNull();
  expect(await approver.approve(call, ask('Look at this.'), [], asking)).toBeNull();
  expect((await approver.approve(question, none(), [], asking))?.response.decision).toBe('deny');
  expect(cards).toEqual([]);
});

test('a run with policy ask waits for a person', async () => {
  const { cards, approver } = approving(ASK);
  expect((await approver.approve(request, none(), [], asking))?.response.decision).toBe('allow');
  expect((await approver.approve(call, ask('Look at this.'), [], asking))?.response.decision).toBe('allow');
  expect(cards).toHaveLength(2);
});
