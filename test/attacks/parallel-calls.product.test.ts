import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AGENTS } from '../../src/agents/_registry.ts';
import { type Handled, handle } from '../../src/engine/handle.ts';
import { createHooksHandler } from '../../src/hooks/handler.ts';
import { type HookRegistry, openHooks } from '../../src/hooks/registry.ts';
import { stopClock } from '../support/clock.ts';
import { callWith, createTestEngine } from '../support/engine.ts';
import { placesIn, type Scratch, scratchFiles } from '../support/hooks.ts';
import { until } from '../support/until.ts';

// An agent that makes many calls at once used to get half of them past a hook: waiting for a worker counted against
// the hook's own time. The failures then paused the hook, and everything passed.

const CALLS = 24;
const WORKERS = 4;
/** The hook's time limit and the time it uses: two in sequence would exceed the limit. */
const LIMIT_MS = 2_500;
const TAKES_MS = 2_000;

/** A hook that reports its call and waits until it may continue. */
const GUARD = `import { appendFileSync, existsSync } from 'node:fs';
import { defineHook, deny } from 'hookline';
const near = (name) => new URL('../' + name, import.meta.url);
export default defineHook({
  on: 'before_tool',
  timeoutMs: ${LIMIT_MS},
  async run(event) {
    const { command } = event.tool;
    appendFileSync(near('begun'), command + '\\n');
    while (!existsSync(near(command))) await new Promise((resolve) => setTimeout(resolve, 5));
    return deny('guarded');
  },
});
`;

/** The commands that the guard was shown, once there are so many. */
async function begun(scratch: Scratch, count: number): Promise<readonly string[]> {
  const file = join(scratch.path, 'begun');
  const commands = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);
  await until(() => commands().length === count);
  return commands();
}

function open(scratch: Scratch): HookRegistry {
  const registry = openHooks(placesIn(scratch.path), AGENTS);
  onTestFinished(() => registry.close());
  return registry;
}

function asking(registry: HookRegistry): (command: string) => Promise<Handled> {
  const handler = createHooksHandler({
    hooksFor: ({ projectId }) => registry.hooksFor(projectId),
    health: registry.health,
    failure: 'open',
    agents: AGENTS,
    log: () => {},
    now: () => Date.now(),
  });
  const engine = createTestEngine([handler]);
  return (command) => {
    const request = { id: 's', tool: 'Bash', input: { command }, cwd: '/work' };
    return handle(callWith('claude', AGENTS.get('claude')?.toolPayload(request)), engine);
  };
}

const decisions = (handled: readonly Handled[]) => handled.map(({ record }) => record.response.decision);

test('a code hook denies concurrent calls, and none counts as a failure', async () => {
  const scratch = scratchFiles();
  scratch.write('hooks/guard.ts', GUARD);
  const clock = stopClock();
  const registry = open(scratch);
  const ask = asking(registry);
  const asked = Array.from({ length: CALLS }, (_, at) => ask(`rm ${at}`));
  for (let count = WORKERS; count <= CALLS; count += WORKERS) {
    const commands = await begun(scratch, count);
    await clock.advance(TAKES_MS);
    for (const command of commands.slice(-WORKERS)) scratch.write(command, '');
  }
  const all = await Promise.all(asked);
  expect(decisions(all)).toEqual(Array(CALLS).fill('deny'));
  expect(all.flatMap(({ record }) => record.opinions.map(({ kind }) => kind))).toEqual(
    Array(CALLS).fill('hook'),
  );
  const [guard] = registry.known();
  expect(guard && registry.health.of(guard)).toMatchObject({ runs: CALLS, failures: 0, pausedUntil: null });
});

test('a rule that is made to fail repeatedly is not paused, even after a restart', async () => {
  const scratch = scratchFiles();
  scratch.write('hooks/guard.ts', GUARD);
  for (const command of ['rm a', 'rm b']) scratch.write(command, '');
  const clock = stopClock();
  const before = asking(open(scratch));
  expect(decisions([await before('rm a')])).toEqual(['deny']);

  const ask = asking(open(scratch));
  const asked = Array.from({ length: 6 }, () => ask('slow'));
  for (const count of [1 + WORKERS, 1 + 6]) {
    await begun(scratch, count);
    await clock.advance(LIMIT_MS);
  }
  const failed = await Promise.all(asked);
  expect(failed.flatMap(({ record }) => record.opinions.map(({ kind }) => kind))).toEqual(
    Array(6).fill('failure'),
  );
  expect(decisions([await ask('rm b')])).toEqual(['deny']);
});
