import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AGENTS } from '../agents/_registry.ts';
import { type Asking, NOT_ASKING } from '../engine/decide.ts';
import { handle } from '../engine/handle.ts';
import { callWith, createTestEngine } from '../engine/testing.ts';
import type { HookEvent } from '../model/events.ts';
import { type HookResponse, none } from '../model/responses.ts';
import { openHooks } from './book.ts';
import { createHooksHandler } from './handler.ts';
import { createWard } from './health.ts';
import type { Hook } from './hook.ts';
import { hookCosts } from './stats.ts';
import { type Scratch, scratchFolder, toolEvent } from './testing.ts';

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
const handlerOf = (hooks: readonly Hook[], failure: 'open' | 'closed' = 'open', ward = createWard()) =>
  createHooksHandler({
    hooksFor: () => hooks,
    ward,
    failure,
    agents: AGENTS,
    log: ({ name }, text) => logged.push(`${name} ${text}`),
    now: () => performance.now(),
  });

const event = toolEvent('claude', 'Bash', { command: 'ls' });
const boom = hook('boom', () => {
  throw new Error('on purpose');
});

describe('hooks as a handler', () => {
  test('asked in order, each seeing the rewrite of the one before', async () => {
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

  test('a failure costs that hook its opinion, is on record with its words, and the others count', async () => {
    const deny = hook('deny', () => ({ decision: 'deny', reason: 'no' }));
    const [failed, denied] = await handlerOf([boom, deny]).decide(event);
    expect(failed).toMatchObject({ kind: 'failure', by: 'boom', problem: 'on purpose', response: none() });
    expect(denied).toMatchObject({ kind: 'hook', by: 'deny', response: { decision: 'deny' } });
    expect(denied?.tookMs).toBeGreaterThanOrEqual(0);
  });

  test('a failure denies where the user, or the hook, chose to fail closed', async () => {
    const [closed] = await handlerOf([boom], 'closed').decide(event);
    expect(closed?.response.decision).toBe('deny');
    const [own] = await handlerOf([{ ...boom, failure: 'closed' }]).decide(event);
    expect(own?.response).toMatchObject({ decision: 'deny', reason: expect.stringContaining('on purpose') });
  });

  test('after five failures in a row it rests, the person is told once, and a success counts it anew', async () => {
    let now = 0;
    const ward = createWard(() => now);
    const handler = handlerOf([boom], 'open', ward);
    const notices: (string | undefined)[] = [];
    for (let i = 0; i < 5; i++) notices.push((await handler.decide(event))[0]?.response.systemMessage);
    expect(notices.slice(0, 4)).toEqual([undefined, undefined, undefined, undefined]);
    expect(notices[4]).toContain('the hook boom failed 5 times in a row (on purpose) and is paused');
    expect(await handler.decide(event)).toEqual([]);
    expect(ward.of(boom)).toMatchObject({ failures: 5, lastProblem: 'on purpose' });

    now += 10 * 60_000 + 1;
    expect(await handler.decide(event)).toHaveLength(1);
    expect(await handler.decide(event)).toEqual([]);
    ward.forget('boom');
    expect(await handler.decide(event)).toHaveLength(1);
  });

  test('one that rests still denies where failures are to deny', async () => {
    const handler = handlerOf([boom], 'closed');
    for (let i = 0; i < 5; i++) await handler.decide(event);
    const [resting] = await handler.decide(event);
    expect(resting).toMatchObject({ kind: 'failure', response: { decision: 'deny' } });
  });

  test('the agent is told to wait for a slow one, and no longer than it waits anyway', async () => {
    const holds: number[] = [];
    const budgets: number[] = [];
    const asking: Asking = { ...NOT_ASKING, patienceMs: 20_000, hold: (ms) => void holds.push(ms) };
    const slow = hook('slow', none, {
      timeoutMs: 600_000,
      run: async (_, { budgetMs }) => {
        budgets.push(budgetMs);
        return none();
      },
    });
    await handlerOf([slow, hook('quick', none)]).decide(event, asking);
    expect(budgets[0]).toBeLessThanOrEqual(19_500);
    expect(budgets[0]).toBeGreaterThan(15_000);
    expect(holds).toHaveLength(1);
    expect(holds[0]).toBeGreaterThan(15_000);
  });

  test('nobody waits for one in the background, and it has no say', async () => {
    const never = hook('log', () => new Promise<HookResponse>(() => {}), { background: true });
    expect(await handlerOf([never]).decide(event)).toMatchObject([{ by: 'log', response: none() }]);
  });

  test('what hooks cost', () => {
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

describe('all that can go wrong at once', () => {
  let scratch: Scratch;
  beforeEach(() => {
    scratch = scratchFolder();
  });
  afterEach(() => scratch.remove());

  const code = (body: string) =>
    `import { defineHook, deny } from 'hookline';\nexport default defineHook({ on: 'before_tool', timeoutMs: 1500, run() { ${body} } });\n`;

  test('the call is answered in time, the others’ opinions count, and the memory comes back', async () => {
    scratch.write('hooks/1-loop.ts', code('for (;;);'));
    scratch.write('hooks/2-hoard.ts', code('const all = []; for (;;) all.push(Buffer.alloc(1 << 20, 1));'));
    scratch.write('hooks/3-guard.ts', code('return deny("guarded");'));
    const loud = scratch.script('loud.sh', 'head -c 100000000 /dev/zero | tr "\\0" x');
    const dies = scratch.script('dies.sh', 'kill -SEGV $$');
    const entry = (name: string, script: string) =>
      `  - { name: ${name}, type: command, dialect: claude, on: before_tool, command: ${script}, timeout: 5s }\n`;
    scratch.write('hooks.yaml', `hooks:\n${entry('loud', loud)}${entry('dies', dies)}`);
    const { path } = scratch;
    const places = { hooks: `${path}/hooks`, hooksFile: `${path}/hooks.yaml`, trust: `${path}/trust.json` };
    const book = openHooks(places, AGENTS);
    try {
      const handler = createHooksHandler({
        hooksFor: ({ projectId }) => book.hooksFor(projectId),
        ward: book.ward,
        failure: 'open',
        agents: AGENTS,
        log: () => {},
        now: () => performance.now(),
      });
      await book.hooksFor(null);
      const before = process.memoryUsage.rss();
      const payload = AGENTS.get('claude')?.toolPayload({
        id: 's',
        tool: 'Bash',
        input: { command: 'ls' },
        cwd: path,
      });
      const started = Date.now();
      const { answer, record } = await handle(callWith('claude', payload), createTestEngine([handler]));
      expect(Date.now() - started).toBeLessThan(12_000);
      expect(JSON.stringify(answer)).toContain('guarded');
      expect(record.opinions.map(({ by, kind }) => [by, kind])).toEqual([
        ['1-loop', 'failure'],
        ['2-hoard', 'failure'],
        ['3-guard', 'hook'],
        ['loud', 'hook'],
        ['dies', 'failure'],
      ]);
      const grown = () => (process.memoryUsage.rss() - before) / (1 << 20);
      await expect.poll(grown, { timeout: 10_000 }).toBeLessThan(200);
    } finally {
      book.close();
    }
  });
});
