import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '../client/client.ts';
import { homePaths } from '../home/paths.ts';
import { HooklineError } from '../model/errors.ts';
import type { Scene } from './scene.ts';

type Stage = Pick<Scene, 'sandbox' | 'hookline'>;

const TRIES = 3;
const DEADLINE_MS = 20_000;

/**
 * Waits until the daemon has loaded the hooks of its home. One that cannot be loaded makes no decision, which a test must
 * not take for an answer; a busy machine may only have been too slow, so that it is tried again.
 */
export async function loadHooks(stage: Stage): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const problem = await loadingProblem(stage);
    if (problem === null) return;
    if (tries === TRIES) throw failed(problem);
    await stage.hookline.run(['down']);
    await stage.hookline.run(['up']);
  }
}

async function loadingProblem(stage: Stage): Promise<string | null> {
  for (const deadline = Date.now() + DEADLINE_MS; Date.now() < deadline; await pause(50)) {
    const status = await statusOf(stage);
    const [problem] = status?.hookProblems ?? [];
    if (problem) return `${problem.where}: ${problem.message}`;
    if (status && status.hooks.length > 0) return null;
  }
  return 'the daemon has loaded no hook';
}

/** Throws HOOK_FAILED where a hook failed while the client was at work. */
export async function assertNoneFailed(stage: Stage): Promise<void> {
  const hook = (await statusOf(stage))?.hooks.find(({ failures }) => failures > 0);
  if (hook) throw failed(`${hook.name}: ${hook.problem}`);
}

async function statusOf({ sandbox }: Stage) {
  return await (await connect(homePaths(sandbox.hooklineHome)))?.status();
}

function failed(problem: string): HooklineError {
  return new HooklineError('HOOK_FAILED', `A hook failed: ${problem}`, {
    hint: 'Try it by itself with testHook().',
  });
}
