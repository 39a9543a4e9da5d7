import { expect, onTestFinished, test, vi } from 'vitest';
import { AGENTS } from '../../src/agents/_registry.ts';
import { type Handled, handle } from '../../src/engine/handle.ts';
import { callWith, createTestEngine } from '../../src/engine/testing.ts';
import { createHooksHandler } from '../../src/hooks/handler.ts';
import { type HookRegistry, openHooks } from '../../src/hooks/registry.ts';
import { placesIn, type Scratch, scratchFiles } from '../../src/hooks/testing.ts';

// An agent that makes many calls at once used to get half of them past a hook: waiting for a worker counted against
// the hook's own time. The failures then paused the hook, and everything passed.

vi.setConfig({ testTimeout: 120_000 });

const CALLS = 24;

/** A guard that takes a moment: all calls one after the other take longer than one may. */
const GUARD = `import { defineHook, deny } from 'hookline';
export default defineHook({
  on: 'before_tool',
  timeoutMs: 2500,
  async run(event) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    if (event.tool.command.includes('slow')) await new Promise(() => {});
    return deny('guarded');
  },
});
`;

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
    now: () => performance.now(),
  });
  const engine = createTestEngine([handler]);
  return (command) => {
    const request = { id: 's', tool: 'Bash', input: { command }, cwd: '/work' };
    return handle(callWith('claude', AGENTS.get('claude')?.toolPayload(request)), engine);
  };
}

const decisions = (handled: readonly Handled[]) => handled.map(({ record }) => record.response.decision);

test('calls at the same time are all denied by a hook in code, and none of them counts as a failure', async () => {
  const scratch = scratchFiles();
  scratch.write('hooks/guard.ts', GUARD);
  const registry = open(scratch);
  const ask = asking(registry);
  const all = await Promise.all(Array.from({ length: CALLS }, (_, at) => ask(`rm ${at}`)));
  expect(decisions(all)).toEqual(Array(CALLS).fill('deny'));
  expect(all.flatMap(({ record }) => record.opinions.map(({ kind }) => kind))).toEqual(
    Array(CALLS).fill('hook'),
  );
  const [guard] = registry.known();
  expect(guard && registry.health.of(guard)).toMatchObject({ runs: CALLS, failures: 0, pausedUntil: null });
});

test('a guard that is made to fail again and again is not paused, after a restart neither', async () => {
  const scratch = scratchFiles();
  scratch.write('hooks/guard.ts', GUARD);
  const before = asking(open(scratch));
  expect(decisions([await before('rm a')])).toEqual(['deny']);

  const ask = asking(open(scratch));
  const failed = await Promise.all(Array.from({ length: 6 }, () => ask('slow')));
  expect(failed.flatMap(({ record }) => record.opinions.map(({ kind }) => kind))).toEqual(
    Array(6).fill('failure'),
  );
  expect(decisions([await ask('rm b')])).toEqual(['deny']);
});
