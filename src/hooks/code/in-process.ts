import { format } from 'node:util';
import type { HookDefinition } from '../define.ts';
import type { Hook } from '../hook.ts';
import { hooksOf } from './load-file.ts';
import type { SessionStates } from './states.ts';

/**
 * Hooks passed as objects, without a file or a thread. Values are copied as between threads, so that a hook that only
 * works in process fails here too.
 */
export function hooksInProcess(
  definitions: readonly HookDefinition[],
  states: SessionStates,
): readonly Hook[] {
  const declared = definitions.map(({ name, on, tool, agent, timeoutMs }) => ({
    name,
    on,
    tool,
    agent,
    timeoutMs,
  }));
  return hooksOf(
    'hook',
    declared,
    {
      async run({ hook, event, session, log, budgetMs }) {
        const own = structuredClone({ event, session });
        const response = await definitions[hook]?.run(own.event, {
          session: own.session,
          log: (...parts) => log(format(...parts)),
          signal: AbortSignal.timeout(Math.ceil(budgetMs)),
        });
        return structuredClone({ response, state: own.session.state });
      },
    },
    states,
  );
}
