import * as v from 'valibot';
import type { Approval } from './approval.ts';

const approval = v.looseObject({
  id: v.string(),
  eventId: v.string(),
  kind: v.picklist(['permission', 'question', 'plan', 'elicitation']),
  state: v.picklist(['pending', 'allowed', 'denied', 'expired', 'withdrawn']),
  source: v.string(),
  sessionId: v.string(),
  createdAt: v.number(),
  expiresAt: v.number(),
});

/** Our own format, from the store or a daemon of the same version: these fields are enough to recognize it. */
export function isApproval(value: unknown): value is Approval {
  return v.is(approval, value);
}
