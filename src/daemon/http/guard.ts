import type { MiddlewareHandler } from 'hono';
import type { Device } from '../../approvals/device.ts';
import { HooklineError } from '../../model/errors.ts';
import type { Access, Action, Caller } from '../../model/people/access.ts';

/** A caller that must prove its identity by opening a file. */
interface Challenged {
  readonly kind: 'challenge';
  readonly id: string;
  readonly file: string;
}

/** What each transport knows about the sender of a request. */
export interface ApiEnv {
  Variables: {
    identify: () => Promise<Caller | Challenged>;
    /** Name of the admitted caller. */
    by: string;
    /** The paired device that sent it, if any. */
    device?: Device;
  };
}

/**
 * Restricts a request to those who may take an action. Checked on the request itself, so that no surface is left out.
 */
export function guarded(access: Access, action: Action): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const caller = await c.var.identify();
    if (caller.kind === 'challenge') return c.json({ challenge: { id: caller.id, file: caller.file } }, 428);
    const decision = await access.decide(action, caller);
    if (!decision.allowed) throw new HooklineError('NOT_A_PERSON', decision.why, { hint: decision.hint });
    c.set('by', decision.by);
    await next();
  };
}
