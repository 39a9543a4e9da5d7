import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { AGENTS } from '../../agents/_registry.ts';
import { decide } from '../../engine/decide.ts';
import { hooksInProcess } from '../../hooks/code/in-process.ts';
import { closeAll, loadFile } from '../../hooks/code/load-file.ts';
import { createStates } from '../../hooks/code/states.ts';
import type { HookDefinition } from '../../hooks/define.ts';
import { createHooksHandler } from '../../hooks/handler.ts';
import { createHookHealth } from '../../hooks/health.ts';
import type { Hook } from '../../hooks/hook.ts';
import { type Handler, NOT_ASKING } from '../../model/deciding.ts';
import { HooklineError } from '../../model/errors.ts';
import type { HookEvent } from '../../model/events.ts';
import type { HookResponse } from '../../model/responses.ts';
import { eventFrom } from './described-event.ts';
import type { DescribedEvent } from './event-description.ts';

/** A hook file, or what one exports. */
export type HookUnderTest = string | URL | HookDefinition | readonly HookDefinition[];

/**
 * What Hookline makes of a hook's answer to an event, without a client and without a daemon. With a list, the events
 * are those of one session, and so are the answers. Hooks that are not for such an event make no decision:
 * `{ decision: 'none' }`. One that throws, hangs or answers nonsense rejects with HOOK_FAILED; in a session it would
 * make no decision either, and a test shall not take that for one.
 *
 * A file is loaded as Hookline loads it: in a thread of its own, TypeScript on every Node, and `hookline` is this one.
 * @example
 * import assert from 'node:assert/strict';
 * import { testHook } from 'hookline/testing';
 *
 * const answer = await testHook('hooks/guard.ts', { tool: 'Bash', input: { command: 'terraform destroy' } });
 * assert.equal(answer.decision, 'deny');
 */
export async function testHook(hook: HookUnderTest, event: DescribedEvent): Promise<HookResponse>;
export async function testHook(
  hook: HookUnderTest,
  events: readonly DescribedEvent[],
): Promise<readonly HookResponse[]>;
export async function testHook(
  hook: HookUnderTest,
  given: DescribedEvent | readonly DescribedEvent[],
): Promise<HookResponse | readonly HookResponse[]> {
  const { hooks, close } = await hooksUnder(hook);
  try {
    const handler = handlerOf(hooks);
    const responses: HookResponse[] = [];
    for (const described of placed(isList(given) ? given : [given]))
      responses.push(await responseTo(handler, described));
    return isList(given) ? responses : (responses[0] ?? { decision: 'none' });
  } finally {
    close();
  }
}

function isList(given: DescribedEvent | readonly DescribedEvent[]): given is readonly DescribedEvent[] {
  return Array.isArray(given);
}

async function hooksUnder(hook: HookUnderTest): Promise<{ hooks: readonly Hook[]; close(): void }> {
  const states = createStates();
  if (typeof hook !== 'string' && !(hook instanceof URL))
    return { hooks: hooksInProcess('run' in hook ? [hook] : hook, states), close: () => {} };
  const path = resolve(hook instanceof URL ? fileURLToPath(hook) : hook);
  if (!existsSync(path)) throw new HooklineError('NOT_FOUND', `There is no hook file ${path}.`);
  const loaded = loadFile(path, { stamp: '', before: [] }, { states, within: null });
  const hooks = await loaded.hooks;
  if (loaded.problem === null) return { hooks, close: () => closeAll(loaded) };
  closeAll(loaded);
  throw new HooklineError('HOOK_FAILED', `${path} cannot be loaded: ${loaded.problem.message}`, {
    hint: 'A hook file has a default export that is made by defineHook().',
  });
}

function handlerOf(hooks: readonly Hook[]): Handler {
  return createHooksHandler({
    hooksFor: () => hooks,
    health: createHookHealth(),
    failure: 'open',
    agents: AGENTS,
    log: () => {},
    now: () => performance.now(),
  });
}

type Event = ReturnType<typeof eventFrom>;

/** Numbered as the store would number them. */
function placed(given: readonly DescribedEvent[]): readonly Event[] {
  const numbers = { promptNumber: 0, toolNumber: 0 };
  return given.map((described, at) => {
    const { agent, event } = eventFrom(described);
    if (event.type === 'before_agent') numbers.promptNumber += 1;
    if (event.type === 'before_tool') numbers.toolNumber += 1;
    const numbered: HookEvent = { ...event, sequence: at + 1, ...numbers };
    return { agent, event: numbered };
  });
}

async function responseTo(handler: Handler, { agent, event }: Event): Promise<HookResponse> {
  const asking = { ...NOT_ASKING, timeoutMs: agent.timeoutMs(event) };
  const { response, opinions } = await decide(event, agent, [handler], { failure: 'open' }, asking);
  const failed = opinions.find(({ kind }) => kind === 'failure');
  if (failed === undefined) return response;
  throw new HooklineError('HOOK_FAILED', `The hook ${failed.by} failed: ${failed.problem}`);
}
