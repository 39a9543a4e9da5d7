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

/** Our own format, from the store or from a daemon of our version: what has these fields has the others. */
export function isApproval(value: unknown): value is Approval {
  return v.is(approval, value);
}
