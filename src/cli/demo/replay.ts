import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CallHandler } from '../../daemon/call-handler.ts';
import type { HookResponse } from '../../model/responses.ts';
import type { Recording, Step } from './recording.ts';

type Payload = Readonly<Record<string, unknown>>;

/** The parts of a running daemon that a replay needs. */
interface Stage {
  readonly hub: Pick<CallHandler, 'call'>;
  /** The outcome of a call, in our own terms. */
  decided(id: string): HookResponse | null;
  /** Speed factor; 2 is twice as fast as recorded. */
  readonly speed: number;
  readonly signal: AbortSignal;
}

/**
 * Plays a session with the real rules. Like the agent, it skips denied calls, runs rewritten ones, and waits for
 * pending approvals.
 */
export async function replay(recording: Recording, stage: Stage): Promise<void> {
  for (const step of recording.steps) {
    await wait(step.wait, stage);
    if (stage.signal.aborted) return;
    await act(step, recording, stage);
  }
}

async function act(step: Step, recording: Recording, stage: Stage): Promise<void> {
  const { inputField } = recording;
  let input = step.send[inputField];
  const rewritten = (payload: Payload): Payload =>
    input === undefined ? payload : { ...payload, [inputField]: input };
  for (const payload of step.ask ? [step.send, step.ask] : [step.send]) {
    const response = await send(rewritten(payload), recording, stage);
    if (response?.decision === 'deny' || stage.signal.aborted) return;
    if (response?.modifyArgs && typeof input === 'object') input = { ...input, ...response.modifyArgs };
    // Hookline has answered, so the agent doesn't ask its user.
    if (response?.decision === 'allow') break;
  }
  if (!step.done) return;
  await wait(step.took ?? 0, stage);
  if (!stage.signal.aborted) await send(rewritten(step.done), recording, stage);
}

async function send(payload: Payload, recording: Recording, stage: Stage): Promise<HookResponse | null> {
  const id = `${Date.now()}-${randomBytes(8).toString('hex')}`;
  await stage.hub.call({
    id,
    receivedAt: Date.now(),
    agent: recording.agent,
    event: null,
    env: {},
    payload: { ...recording.common, ...payload },
  });
  return stage.decided(id);
}

async function wait(ms: number, { speed, signal }: Stage): Promise<void> {
  await pause(ms / speed, undefined, { signal }).catch(() => {});
}
