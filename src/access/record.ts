import { randomBytes } from 'node:crypto';
import { ACTIONS, type AccessDecision, type Action, OWN_SOURCE } from '../model/access.ts';
import { eventBase } from '../model/event-base.ts';
import { PASSTHROUGH } from '../model/native.ts';
import type { CallRecord } from '../model/recording.ts';
import { deny, type HookResponse } from '../model/responses.ts';

/** The session under which the history has who tried to decide, which scripts did, and who paused protected rules. */
const SESSION = 'access';

/** An attempt that was refused, or one that was not and that people want to find again, as an event of the history. */
export function accessRecord(action: Action, decision: AccessDecision): CallRecord {
  const who = decision.allowed ? decision.by : (decision.agent ?? 'somebody');
  const message = decision.allowed
    ? `${who} was allowed to ${ACTIONS[action]}.`
    : `${who} tried to ${ACTIONS[action]} and was refused: ${decision.why}`;
  const response: HookResponse = decision.allowed
    ? { decision: 'none', systemMessage: message }
    : deny(decision.why);
  const now = Date.now();
  return {
    event: {
      ...eventBase({
        // Of the form that all ids have, so that the short one in a row is enough to find it by.
        id: `${now}-${randomBytes(8).toString('hex')}`,
        source: OWN_SOURCE,
        sessionId: SESSION,
        timestamp: now,
      }),
      type: 'notification',
      ...labelOf(decision),
      message,
      metadata: { action, agent: decision.allowed ? null : decision.agent },
    },
    response,
    opinions: [],
    degraded: [],
    answer: PASSTHROUGH,
    latencyMs: 0,
    delivered: [],
    deferred: null,
  };
}

function labelOf(decision: AccessDecision): { readonly kind: string; readonly title: string } {
  if (!decision.allowed) return { kind: 'refused_access', title: 'Refused attempt' };
  return decision.scriptKey === null
    ? { kind: 'person_access', title: 'Person' }
    : { kind: 'script_access', title: 'Script' };
}
