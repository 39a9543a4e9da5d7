import type { Agent } from '../agents/agent.ts';
import { rewritten } from '../engine/decide.ts';
import { type Asking, type Handler, NOT_ASKING } from '../model/deciding.ts';
import type { HookEvent } from '../model/events.ts';
import type { Opinion } from '../model/recording.ts';
import { createTurnEndBudget, REFUSALS_PER_TURN, spent, type TurnEndBudget } from '../model/turn-end.ts';
import { type AskParts, askHook, MARGIN_MS } from './ask.ts';
import type { Hook } from './hook.ts';

interface HooksParts extends AskParts {
  /** Called for every event, so that a change applies from the next one on. */
  hooksFor(event: HookEvent): readonly Hook[] | Promise<readonly Hook[]>;
  readonly agents: ReadonlyMap<string, Agent>;
}

/** For events whose timeout in the agent is unknown. */
const SHORT_MS = 5_000;

/** The hooks as a handler: in order, each sees the call as changed by the previous one. */
export function createHooksHandler(parts: HooksParts): Handler {
  const { hooksFor, now, agents } = parts;
  const turnEnds = createTurnEndBudget();

  async function askAll(all: readonly Hook[], event: HookEvent, asking: Asking): Promise<readonly Opinion[]> {
    const hooks = all.filter((hook) => hook.concerns(event));
    if (hooks.length === 0) return [];
    const until = now() + (asking.timeoutMs || SHORT_MS) - MARGIN_MS;
    const agent = agents.get(event.source);
    const opinions: Opinion[] = [];
    let current = event;
    for (const hook of hooks) {
      const given = await askHook(parts, hook, current, until - now(), asking);
      if (given === null) continue;
      opinions.push(given);
      const { modifyArgs } = given.response;
      if (modifyArgs && agent) current = rewritten(current, modifyArgs, agent);
    }
    return withinBudget(event, opinions, turnEnds);
  }

  return {
    name: 'hooks',
    budgetMs: null,
    // Not asked a second time, because hooks may have side effects. The rules check a call changed by hooks again.
    guards: false,
    decide(event, asking = NOT_ASKING) {
      const hooks = hooksFor(event);
      // Most events have none, and then nothing is awaited.
      if (hooks instanceof Promise) return hooks.then((loaded) => askAll(loaded, event, asking));
      return hooks.length === 0 ? [] : askAll(hooks, event, asking);
    },
  };
}

/** Hooks that always deny a stop would keep the agent working forever, so after this many times it may stop. */
function withinBudget(
  event: HookEvent,
  opinions: readonly Opinion[],
  turnEnds: TurnEndBudget,
): readonly Opinion[] {
  const isRefused = opinions.some(({ response }) => response.decision === 'deny');
  if (!isRefused || turnEnds.spend(event)) return opinions;
  return opinions.map((given) =>
    given.response.decision === 'deny' ? spent(given, REFUSALS_PER_TURN) : given,
  );
}
