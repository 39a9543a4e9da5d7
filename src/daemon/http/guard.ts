import type { MiddlewareHandler } from 'hono';
import type { Device } from '../../approvals/device.ts';
import { HooklineError } from '../../model/errors.ts';
import type { Access, Action, Caller } from '../../model/people/access.ts';

/** A caller that has to prove who it is by opening a file. */
interface Challenged {
  readonly kind: 'challenge';
  readonly id: string;
  readonly file: string;
}

/** What each transport knows of who sends a request. */
export interface ApiEnv {
  Variables: {
    identify: () => Promise<Caller | Challenged>;
    /** Who was let through, in words. */
    by: string;
    /** The paired device that it comes from; not set for others. */
    device?: Device;
  };
}

/** Lets a request through to what only a person may do. Asked of the request itself, so that no surface is left out. */
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
