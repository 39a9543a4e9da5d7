import type { Asking } from '../model/deciding.ts';
import { messageOf } from '../model/errors.ts';
import type { HookEvent } from '../model/events.ts';
import { denyUnchecked, type FailureMode, responseToFailure, responseToLostGuard } from '../model/failure.ts';
import type { Opinion } from '../model/recording.ts';
import { type HookResponse, none } from '../model/responses.ts';
import type { HookHealth } from './health.ts';
import { type Hook, NotAskedError } from './hook.ts';

/** Dependencies for asking a hook. */
export interface AskParts {
  readonly health: HookHealth;
  readonly failure: FailureMode;
  log(hook: Hook, text: string): void;
  readonly now: () => number;
}

/** Time reserved for the answer itself. */
export const MARGIN_MS = 500;
/** A forwarder waits about this long without a hold. */
const QUICK_MS = 3_000;

/** One hook's opinion; null if it is paused and guards nothing. A failure is an opinion too. */
export async function askHook(
  parts: AskParts,
  hook: Hook,
  event: HookEvent,
  leftMs: number,
  asking: Asking,
): Promise<Opinion | null> {
  const mode = hook.failure ?? parts.failure;
  if (parts.health.isPaused(hook)) {
    // The hook is paused, so what it guards isn't checked.
    const closed = failure(hook, event, mode, { problem: 'it is paused after repeated failures', tookMs: 0 });
    return closed.response.decision === 'none' ? null : closed;
  }
  const started = parts.now();
  try {
    const response = await run(parts, hook, event, leftMs, asking);
    return opinion(hook, response, hook.background ? 0 : parts.now() - started);
  } catch (error) {
    const problem = messageOf(error);
    const tookMs = parts.now() - started;
    if (error instanceof NotAskedError) {
      const response = denyUnchecked(event.type, `the hook ${hook.name} was not run, ${problem}`);
      return { ...opinion(hook, response, tookMs), kind: 'failure', problem };
    }
    const notice = parts.health.failed(hook, problem);
    parts.log(hook, notice ?? `failed: ${problem}`);
    const failed = lostGuard(parts, hook, event, mode, failure(hook, event, mode, { problem, tookMs }));
    return notice === null ? failed : { ...failed, response: { ...failed.response, systemMessage: notice } };
  }
}

/** Reports a known guard that can't be loaded at all. */
function lostGuard(
  { health }: AskParts,
  hook: Hook,
  event: HookEvent,
  mode: FailureMode,
  failed: Opinion,
): Opinion {
  if (hook.problem === null || !health.isGuard(hook)) return failed;
  return { ...failed, response: responseToLostGuard(event.type, mode, `hook ${hook.name}: ${hook.problem}`) };
}

async function run(
  { health, log }: AskParts,
  hook: Hook,
  event: HookEvent,
  leftMs: number,
  asking: Asking,
): Promise<HookResponse> {
  const budgetMs = Math.min(hook.timeoutMs, leftMs);
  if (budgetMs <= 0) throw new Error("earlier hooks used up the agent's time limit");
  const deadline = createDeadline();
  const hold = (ms: number) => {
    if (ms > QUICK_MS) asking.hold(ms + QUICK_MS);
    deadline.extend(ms + MARGIN_MS);
  };
  try {
    hold(budgetMs);
    const answer = hook.run(event, { budgetMs, leftMs, hold, log: (text) => log(hook, text) });
    if (hook.background) {
      answer.then(
        () => health.succeeded(hook, none()),
        (error: unknown) => void health.failed(hook, messageOf(error)),
      );
      return none();
    }
    const response = await Promise.race([answer, deadline.passed]);
    health.succeeded(hook, response);
    return response;
  } finally {
    deadline.clear();
  }
}

/** For a hook that doesn't keep its own time limit. */
function createDeadline(): { readonly passed: Promise<never>; extend(ms: number): void; clear(): void } {
  let timer: NodeJS.Timeout | undefined;
  let pass: (error: Error) => void = () => {};
  const passed = new Promise<never>((_, reject) => {
    pass = reject;
  });
  // May have no listener.
  passed.catch(() => {});
  return {
    passed,
    extend(ms) {
      clearTimeout(timer);
      timer = setTimeout(() => pass(new Error(`no answer within ${ms} ms`)), ms);
    },
    clear: () => clearTimeout(timer),
  };
}

function opinion(hook: Hook, response: HookResponse, tookMs: number): Opinion {
  return { kind: 'hook', by: hook.name, where: hook.where, response, tookMs };
}

function failure(
  { name, where }: Hook,
  event: HookEvent,
  mode: FailureMode,
  failed: { readonly problem: string; readonly tookMs: number },
): Opinion {
  const response = responseToFailure(event.type, mode, `hook ${name}: ${failed.problem}`);
  return { kind: 'failure', by: name, where, response, ...failed };
}
