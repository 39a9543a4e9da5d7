import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { opinions, saying } from '../../test/support/engine.ts';
import { base, beforeTool } from '../../test/support/store/store.ts';
import { AGENTS } from '../agents/_registry.ts';
import type { Handler } from '../model/deciding.ts';
import type { EventType, HookEvent } from '../model/events.ts';
import { responseToFailure, within } from '../model/failure.ts';
import { type Decision, deny, none } from '../model/responses.ts';
import { decide } from './decide.ts';

const agent = AGENTS.get('claude');
if (!agent) throw new Error('no agent to test with');
const event = beforeTool('ls');

const handler = (name: string, decideAs: Handler['decide'], budgetMs: number | null = null): Handler => ({
  name,
  budgetMs,
  guards: true,
  decide: decideAs,
});

/** Every way in which a handler can fail to have an opinion. */
const FAILING: Readonly<Record<string, Handler>> = {
  throws: handler('throws', () => {
    throw new Error('broken');
  }),
  rejects: handler('rejects', () => Promise.reject(new Error('broken'))),
  'throws no error': handler('throws no error', () => {
    throw 'broken';
  }),
  hangs: handler('hangs', () => new Promise(() => {}), 0),
  'gives no list': handler('gives no list', () => JSON.parse('null')),
  'promises no list': handler('promises no list', () => Promise.resolve(JSON.parse('{}'))),
};

describe.each(Object.entries(FAILING))('a handler that %s', (name, failing) => {
  test('makes no decision, and leaves those of the others', async () => {
    const alone = await decide(event, agent, [failing], { failure: 'open' });
    expect(alone.response).toEqual(none());
    expect(alone.opinions).toMatchObject([{ kind: 'failure', by: name, response: { decision: 'none' } }]);
    const among = await decide(event, agent, [failing, saying(() => deny('no')), failing], {
      failure: 'open',
    });
    expect(among.response).toEqual(deny('no'));
  });

  test('denies in failure mode closed', async () => {
    const { response } = await decide(event, agent, [saying(() => ({ decision: 'allow' })), failing], {
      failure: 'closed',
    });
    expect(response.decision).toBe('deny');
    expect(response.reason).toContain(name);
  });
});

const decision = fc.constantFrom<Decision>('none', 'allow', 'ask', 'deny');
const part = fc.oneof(
  decision.map((said) => ({ said, handler: saying(() => ({ decision: said, reason: said })) })),
  decision.map((said) => ({
    said,
    handler: handler('later', async () => opinions('later', { decision: said, reason: said }), 60_000),
  })),
  fc.constantFrom(...Object.values(FAILING)).map((failing) => ({ said: null, handler: failing })),
);

test('a failure next to any opinion never widens permission', async () => {
  const rank = { none: 0, allow: 1, ask: 2, deny: 3 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { maxLength: 6 }),
      fc.constantFrom('open', { failure: 'closed' }),
      async (parts, mode) => {
        const handlers = parts.map((one) => one.handler);
        const { response } = await decide(event, agent, handlers, {
          failure: mode === 'open' ? 'open' : 'closed',
        });
        const said = parts.map((one) => one.said ?? (mode === 'open' ? 'none' : 'deny'));
        const strongest = said.reduce((a, b) => (rank[b] > rank[a] ? b : a), 'none');
        expect(response.decision).toBe(strongest);
      },
    ),
  );
});

test('failure mode closed denies only where the event can be blocked', () => {
  const guarded: EventType[] = ['before_tool', 'permission_request', 'before_agent', 'user_prompt_expansion'];
  for (const type of guarded) expect(responseToFailure(type, 'closed', 'x').decision).toBe('deny');
  for (const type of ['stop', 'after_tool', 'session_start', 'notification'] as const) {
    expect(responseToFailure(type, 'closed', 'x')).toEqual(none());
  }
  for (const type of guarded) expect(responseToFailure(type, 'open', 'x')).toEqual(none());
});

test('a handler gets no more than its time budget', async () => {
  vi.useFakeTimers();
  try {
    const late = within(5, new Promise(() => {}));
    const outcome = expect(late).rejects.toThrow('no answer within 5 ms');
    await vi.advanceTimersByTimeAsync(5);
    await outcome;
    await expect(within(5, Promise.resolve('in time'))).resolves.toBe('in time');
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test("a handler in observe mode is recorded and doesn't affect the answer", async () => {
  const observer = handler('observer', () => [
    { kind: 'rule', by: 'observer', where: null, response: deny('would'), observing: true },
  ]);
  const { response, opinions: heard } = await decide(event, agent, [observer], { failure: 'open' });
  expect(response).toEqual(none());
  expect(heard).toHaveLength(1);
});

test('a guard that fails on the second pass counts as failed', async () => {
  let looks = 0;
  const guard = handler('guard', () => {
    looks += 1;
    if (looks > 1) throw new Error('broken');
    return opinions('guard', { decision: 'allow', modifyArgs: { command: 'other' } });
  });
  const { response } = await decide(event, agent, [guard], { failure: 'closed' });
  expect(looks).toBe(2);
  expect(response.decision).toBe('deny');
});

test("doesn't evaluate an event that has ended again", async () => {
  let looks = 0;
  const stop: HookEvent = { ...base(), type: 'notification', message: '', title: null, kind: '' };
  const handlers = [
    handler('counting', () => {
      looks += 1;
      return opinions('counting', { decision: 'none', modifyArgs: { a: 1 } });
    }),
  ];
  await decide(stop, agent, handlers, { failure: 'open' });
  expect(looks).toBe(1);
});
