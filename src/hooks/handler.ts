import type { Agent } from '../agents/agent.ts';
import { type Asking, type Handler, NOT_ASKING, rewritten } from '../engine/decide.ts';
import { type FailureMode, responseToFailure, within } from '../engine/failure.ts';
import type { Opinion } from '../engine/record.ts';
import type { HookEvent } from '../model/events.ts';
import { type HookResponse, none } from '../model/responses.ts';
import type { Ward } from './health.ts';
import type { Hook } from './hook.ts';

export interface HooksParts {
  /** Asked on every call, so that a change takes effect on the next. */
  hooksFor(event: HookEvent): readonly Hook[] | Promise<readonly Hook[]>;
  readonly ward: Ward;
  readonly failure: FailureMode;
  readonly agents: ReadonlyMap<string, Agent>;
  log(hook: Hook, text: string): void;
  readonly now: () => number;
}

/** Time that is left for the answer itself. */
const MARGIN_MS = 500;
/** For events of which nobody knows how long the agent waits. */
const SHORT_MS = 5_000;
/** A forwarder waits about this long without being told. */
const QUICK_MS = 3_000;

/** The hooks as a handler: in order, each seeing what the one before made of the call. */
export function createHooksHandler(parts: HooksParts): Handler {
  const { hooksFor, ward, now, agents } = parts;

  async function ask(hook: Hook, event: HookEvent, leftMs: number, asking: Asking): Promise<Opinion | null> {
    const mode = hook.failure ?? parts.failure;
    const failure = (problem: string, tookMs: number, notice: string | null): Opinion => {
      const response = responseToFailure(event.type, mode, `hook ${hook.name}: ${problem}`);
      return {
        kind: 'failure',
        by: hook.name,
        where: hook.where,
        response: notice === null ? response : { ...response, systemMessage: notice },
        problem,
        tookMs,
      };
    };
    if (ward.resting(hook)) {
      // It rests, but what it would have guarded is still not judged.
      const closed = failure('it is paused after repeated failures', 0, null);
      return closed.response.decision === 'none' ? null : closed;
    }
    const budgetMs = Math.min(hook.timeoutMs, leftMs);
    const started = now();
    try {
      if (budgetMs <= 0) throw new Error('the hooks before it used up the time that the agent waits');
      if (budgetMs > QUICK_MS) asking.hold(budgetMs + QUICK_MS);
      const run = hook.run(event, { budgetMs, log: (text) => parts.log(hook, text) });
      if (hook.background) {
        run.then(
          () => ward.succeeded(hook),
          (error: unknown) => void ward.failed(hook, messageOf(error)),
        );
        return opinion(hook, none(), 0);
      }
      // Hooks keep their own time; this is for one that does not.
      const response = await within(budgetMs + MARGIN_MS, run);
      ward.succeeded(hook);
      return opinion(hook, response, now() - started);
    } catch (error) {
      const problem = messageOf(error);
      const notice = ward.failed(hook, problem);
      parts.log(hook, notice ?? `failed: ${problem}`);
      return failure(problem, now() - started, notice);
    }
  }

  return {
    name: 'hooks',
    budgetMs: null,
    // Not asked a second time: they may act on the world. What hooks make of a call is judged again by the rules.
    guards: false,
    async decide(event, asking = NOT_ASKING) {
      const hooks = (await hooksFor(event)).filter((hook) => hook.concerns(event));
      if (hooks.length === 0) return [];
      const until = now() + (asking.patienceMs || SHORT_MS) - MARGIN_MS;
      const agent = agents.get(event.source);
      const opinions: Opinion[] = [];
      let current = event;
      for (const hook of hooks) {
        const given = await ask(hook, current, until - now(), asking);
        if (given === null) continue;
        opinions.push(given);
        const { modifyArgs } = given.response;
        if (modifyArgs && agent) current = rewritten(current, modifyArgs, agent);
      }
      return opinions;
    },
  };
}

function opinion(hook: Hook, response: HookResponse, tookMs: number): Opinion {
  return { kind: 'hook', by: hook.name, where: hook.where, response, tookMs };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
