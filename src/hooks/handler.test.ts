import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { stopClock } from '../../test/support/clock.ts';
import { callWith, createTestEngine } from '../../test/support/engine.ts';
import { eventOf, HOARD, placesIn, type Scratch, scratchFiles, toolEvent } from '../../test/support/hooks.ts';
import { watchThreads } from '../../test/support/threads.ts';
import { until } from '../../test/support/until.ts';
import { AGENTS } from '../agents/_registry.ts';
import { handle } from '../engine/handle.ts';
import { type Asking, NOT_ASKING } from '../model/deciding.ts';
import type { HookEvent } from '../model/events.ts';
import { type HookResponse, none } from '../model/responses.ts';
import { createHooksHandler } from './handler.ts';
import { createHookHealth } from './health.ts';
import { type Hook, NotAskedError } from './hook.ts';
import { openHooks } from './registry.ts';
import { hookCosts } from './stats.ts';

type Run = (event: HookEvent) => HookResponse | Promise<HookResponse>;

const hook = (name: string, run: Run, more: Partial<Hook> = {}): Hook => ({
  name,
  kind: 'code',
  where: `/hooks/${name}.ts`,
  timeoutMs: 1_000,
  failure: null,
  background: false,
  problem: null,
  concerns: () => true,
  run: async (event) => run(event),
  ...more,
});

const logged: string[] = [];
const handlerOf = (
  hooks: readonly Hook[],
  failure: 'open' | 'closed' = 'open',
  health = createHookHealth(),
) =>
  createHooksHandler({
    hooksFor: () => hooks,
    health,
    failure,
    agents: AGENTS,
    log: ({ name }, text) => logged.push(`${name} ${text}`),
    now: () => 0,
  });

const event = toolEvent('claude', 'Bash', { command: 'ls' });
const boom = hook('boom', () => {
  throw new Error('on purpose');
});

describe('the end of a turn', () => {
  const stop = (promptNumber: number, more: object = {}) => ({
    ...eventOf('claude', { session_id: 's', hook_event_name: 'Stop', stop_hook_active: false }),
    promptNumber,
    ...more,
  });
  const never = hook('never', () => ({ decision: 'deny', reason: 'Go on.' }));
  const counts = async (hooks: readonly Hook[], events: readonly HookEvent[], failure?: 'closed') => {
    const handler = handlerOf(hooks, failure);
    const refused: boolean[] = [];
    for (const one of events) {
      const opinions = await handler.decide(one);
      refused.push(opinions.some(({ observing, response }) => !observing && response.decision === 'deny'));
    }
    return refused.filter(Boolean).length;
  };

  test('is denied at most three times per turn, by all hooks together', async () => {
    const turn = Array.from({ length: 25 }, () => stop(1));
    expect(await counts([never], turn)).toBe(3);
    expect(await counts([never, hook('nor', () => ({ decision: 'deny', reason: 'No.' }))], turn)).toBe(3);
    expect(await counts([never], [...turn, stop(2), stop(2)])).toBe(5);
    expect(await counts([never], [...turn, stop(1, { sessionId: 'other' })])).toBe(4);
  });

  test('a hook that is no longer asked says why, and its other responses count', async () => {
    const handler = handlerOf([
      hook('never', () => ({ decision: 'deny', reason: 'Go on.' })),
      hook('tells', () => ({ decision: 'none', systemMessage: 'hi' })),
    ]);
    for (let i = 0; i < 3; i++) await handler.decide(stop(1));
    expect(await handler.decide(stop(1))).toMatchObject([
      { by: 'never', observing: true, problem: 'Hookline already kept this turn from ending 3 times' },
      { by: 'tells', response: { systemMessage: 'hi' } },
    ]);
  });

  test('calls are denied as often as necessary', async () => {
    expect(
      await counts(
        [never],
        Array.from({ length: 25 }, () => event),
      ),
    ).toBe(25);
  });
});

describe('hooks as a handler', () => {
  test('are asked in order, each sees the call as changed by the previous one', async () => {
    const seen: unknown[] = [];
    const add = (word: string) =>
      hook(word, (current) => {
        const command = 'tool' in current ? current.tool.command : null;
        seen.push(command);
        return { decision: 'none', modifyArgs: { command: `${command} ${word}` } };
      });
    const opinions = await handlerOf([add('a'), add('b'), add('c')]).decide(event);
    expect(seen).toEqual(['ls', 'ls a', 'ls a b']);
    expect(opinions.map(({ by, response }) => [by, response.modifyArgs])).toEqual([
      ['a', { command: 'ls a' }],
      ['b', { command: 'ls a b' }],
      ['c', { command: 'ls a b c' }],
    ]);
  });

  test('a failure costs that hook its opinion and is recorded with its message, and the others count', async () => {
    const deny = hook('deny', () => ({ decision: 'deny', reason: 'no' }));
    const [failed, denied] = await handlerOf([boom, deny]).decide(event);
    expect(failed).toMatchObject({ kind: 'failure', by: 'boom', problem: 'on purpose', response: none() });
    expect(denied).toMatchObject({ kind: 'hook', by: 'deny', response: { decision: 'deny' } });
    expect(denied?.tookMs).toBe(0);
  });

  test('a failure denies if the user or the hook chose to fail closed', async () => {
    const [closed] = await handlerOf([boom], 'closed').decide(event);
    expect(closed?.response.decision).toBe('deny');
    const [own] = await handlerOf([{ ...boom, failure: 'closed' }]).decide(event);
    expect(own?.response).toMatchObject({ decision: 'deny', reason: expect.stringContaining('on purpose') });
  });

  test('after five failures in a row it is paused, the user is notified once, and a success resets the count', async () => {
    let now = 0;
    const health = createHookHealth(() => now);
    const handler = handlerOf([boom], 'open', health);
    const notices: (string | undefined)[] = [];
    for (let i = 0; i < 5; i++) notices.push((await handler.decide(event))[0]?.response.systemMessage);
    expect(notices.slice(0, 4)).toEqual([undefined, undefined, undefined, undefined]);
    expect(notices[4]).toContain('the hook boom failed 5 times in a row (on purpose) and is paused');
    expect(await handler.decide(event)).toEqual([]);
    expect(health.of(boom)).toMatchObject({ failures: 5, lastProblem: 'on purpose' });

    now += 10 * 60_000 + 1;
    expect(await handler.decide(event)).toHaveLength(1);
    expect(await handler.decide(event)).toEqual([]);
    health.forget('boom');
    expect(await handler.decide(event)).toHaveLength(1);
  });

  test('a paused hook still denies in failure mode closed', async () => {
    const handler = handlerOf([boom], 'closed');
    for (let i = 0; i < 5; i++) await handler.decide(event);
    const [isPaused] = await handler.decide(event);
    expect(isPaused).toMatchObject({ kind: 'failure', response: { decision: 'deny' } });
  });

  test.each([
    ['denied', { decision: 'deny', reason: 'no' }],
    ['asked', { decision: 'ask' }],
    ['halted', { decision: 'none', halt: 'enough' }],
  ] as const)(
    'a hook that has ever %s is never paused, and the user is notified once',
    async (_, response) => {
      let broken = false;
      const guard = hook('guard', () => {
        if (broken) throw new Error('on purpose');
        return response;
      });
      const health = createHookHealth();
      const handler = handlerOf([guard], 'open', health);
      await handler.decide(event);
      broken = true;
      health.forget('guard');
      const notices: (string | undefined)[] = [];
      for (let i = 0; i < 12; i++) notices.push((await handler.decide(event))[0]?.response.systemMessage);
      expect(notices.filter((notice) => notice !== undefined)).toEqual([
        expect.stringContaining('failed 5 times in a row (on purpose). It still runs'),
      ]);
      expect(health.of(guard)).toMatchObject({ pausedUntil: null, failures: 12 });
      broken = false;
      expect(await handler.decide(event)).toMatchObject([{ kind: 'hook', response }]);
    },
  );

  test("a hook that couldn't be asked denies guarded calls, and hasn't failed", async () => {
    const crowded = hook('crowded', () => {
      throw new NotAskedError('all its workers are busy');
    });
    const health = createHookHealth();
    const handler = handlerOf([crowded], 'open', health);
    for (let i = 0; i < 6; i++) {
      expect(await handler.decide(event)).toMatchObject([
        {
          kind: 'failure',
          problem: 'all its workers are busy',
          response: { decision: 'deny', reason: expect.stringContaining('crowded was not run') },
        },
      ]);
    }
    expect(health.of(crowded)).toMatchObject({ failures: 0, pausedUntil: null });
    const stop = eventOf('claude', { hook_event_name: 'Stop', session_id: 's' });
    expect(await handler.decide(stop)).toMatchObject([{ kind: 'failure', response: none() }]);
  });

  test('gives up on a hook that exceeds its time limit', async () => {
    const never = hook('never', () => new Promise<HookResponse>(() => {}), { timeoutMs: 1 });
    expect(await handlerOf([never]).decide(event)).toMatchObject([
      { kind: 'failure', problem: expect.stringContaining('no answer within') },
    ]);
  });

  test("asks the agent to wait for a slow hook, within the agent's own limit", async () => {
    const holds: number[] = [];
    const budgets: number[] = [];
    const asking: Asking = { ...NOT_ASKING, timeoutMs: 20_000, hold: (ms) => void holds.push(ms) };
    const slow = hook('slow', none, {
      timeoutMs: 600_000,
      run: async (_, { budgetMs }) => {
        budgets.push(budgetMs);
        return none();
      },
    });
    await handlerOf([slow, hook('quick', none)]).decide(event, asking);
    expect(budgets).toEqual([19_500]);
    expect(holds).toEqual([22_500]);
  });

  test('a background hook delays nothing and decides nothing', async () => {
    const never = hook('log', () => new Promise<HookResponse>(() => {}), { background: true });
    expect(await handlerOf([never]).decide(event)).toMatchObject([{ by: 'log', response: none() }]);
  });

  test('reports what hooks cost', () => {
    const took = (by: string, tookMs: number, kind: 'hook' | 'failure' = 'hook') => ({ kind, by, tookMs });
    const costs = hookCosts([
      ...Array.from({ length: 100 }, (_, i) => took('a', i + 1)),
      took('b', 10_000, 'failure'),
    ]);
    expect(costs).toEqual([
      { name: 'b', runs: 1, failures: 1, p50Ms: 10_000, p95Ms: 10_000, totalMs: 10_000 },
      { name: 'a', runs: 100, failures: 0, p50Ms: 50, p95Ms: 95, totalMs: 5_050 },
    ]);
  });
});

describe('all failures at once', () => {
  let scratch: Scratch;
  beforeEach(() => {
    scratch = scratchFiles();
  });

  const code = (body: string) =>
    `import { defineHook, deny } from 'hookline';\nexport default defineHook({ on: 'before_tool', timeoutMs: 1500, run() { ${body} } });\n`;

  test('answers the call with the other opinions, and ends the failed worker with its memory', async () => {
    const looping = join(scratch.path, 'looping');
    const sayLooping = `process.getBuiltinModule('node:fs').writeFileSync(${JSON.stringify(looping)}, '');`;
    scratch.write('hooks/1-loop.ts', code(`${sayLooping} for (;;);`));
    scratch.write('hooks/2-hoard.ts', code(HOARD));
    scratch.write('hooks/3-guard.ts', code('return deny("guarded");'));
    const loud = scratch.script('loud.sh', 'head -c 10000000 /dev/zero | tr "\\0" x');
    const dies = scratch.script('dies.sh', 'kill -SEGV $$');
    const entry = (name: string, script: string) =>
      `  - { name: ${name}, type: command, dialect: claude, on: before_tool, command: ${script}, timeout: 5s }\n`;
    scratch.write('hooks.yaml', `hooks:\n${entry('loud', loud)}${entry('dies', dies)}`);
    const { path } = scratch;
    const clock = stopClock();
    const threads = watchThreads();
    const registry = openHooks(placesIn(path), AGENTS);
    try {
      const handler = createHooksHandler({
        hooksFor: ({ projectId }) => registry.hooksFor(projectId),
        health: registry.health,
        failure: 'open',
        agents: AGENTS,
        log: () => {},
        now: () => 0,
      });
      await registry.hooksFor(null);
      const payload = AGENTS.get('claude')?.toolPayload({
        id: 's',
        tool: 'Bash',
        input: { command: 'ls' },
        cwd: path,
      });
      const handled = handle(callWith('claude', payload), createTestEngine([handler]));
      await until(() => existsSync(looping));
      await clock.advance(1_500);
      const { answer, record } = await handled;
      expect(JSON.stringify(answer)).toContain('guarded');
      expect(record.opinions.map(({ by, kind }) => [by, kind])).toEqual([
        ['1-loop', 'failure'],
        ['2-hoard', 'failure'],
        ['3-guard', 'hook'],
        ['loud', 'hook'],
        ['dies', 'failure'],
      ]);
      // A thread frees its memory only when it ends.
      await until(() => threads.ended === 2);
      expect(threads.started).toBe(3);
    } finally {
      registry.close();
    }
  });
});
