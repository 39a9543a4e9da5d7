import { randomBytes } from 'node:crypto';
import { type Alert, alertText } from '../model/alert.ts';
import { eventBase } from '../model/event-base.ts';
import { PASSTHROUGH } from '../model/native.ts';
import { ACTIONS, type AccessDecision, type Action, NOTE, OWN_SOURCE } from '../model/people/access.ts';
import type { CallRecord } from '../model/recording.ts';
import { deny, type HookResponse } from '../model/responses.ts';

/** The session under which the history has who tried to decide, which scripts did, and who paused protected rules,
 * and what happened to the home. */
const SESSION = 'access';

/** An attempt that was refused, or one that was not and that users want to find again, as an event of the history. */
export function accessRecord(action: Action, decision: AccessDecision): CallRecord {
  if (!decision.allowed) {
    const who = decision.agent ?? 'A process';
    const message = `${who} tried to ${ACTIONS[action]} and was denied: ${decision.why}`;
    const label = { kind: 'refused_access', title: 'Refused attempt' };
    return noted(label, message, deny(decision.why), { action, agent: decision.agent });
  }
  const message = `${decision.by} was allowed to ${ACTIONS[action]}.`;
  const label = decision.scriptKey === null ? PERSON : { kind: 'script_access', title: 'Script' };
  return noted(label, message, said(message), { action, agent: null });
}

/** A permitted change, as an event of the history: `saved the rule x`. */
export function changeRecord(action: Action, by: string, what: string): CallRecord {
  const message = `${by} ${what}.`;
  return noted(PERSON, message, said(message), { action, agent: null });
}

/** Something that happened to this home, as an event of the history. */
export function alertRecord({ code, message, fix }: Pick<Alert, 'code' | 'message' | 'fix'>): CallRecord {
  const text = alertText({ message, fix });
  return noted({ kind: 'alert', title: 'Alert' }, text, said(text), { code });
}

/** A note of a person or an agent, as an event of the history: a session of its own, so that it can be forgotten by itself. */
export function noteRecord(text: string, by: string, place: NotePlace): CallRecord {
  const label = { kind: NOTE, title: 'Note' };
  const record = noted(label, text, said(`${by} noted: ${text}`), { by });
  const id = record.event.id.slice(-8);
  return { ...record, event: { ...record.event, ...place, sessionId: `note-${id}` } };
}

interface NotePlace {
  readonly cwd: string;
  readonly projectId: string;
}

const PERSON = { kind: 'person_access', title: 'Person' };

const said = (message: string): HookResponse => ({ decision: 'none', systemMessage: message });

function noted(
  label: { readonly kind: string; readonly title: string },
  message: string,
  response: HookResponse,
  metadata: Readonly<Record<string, unknown>>,
): CallRecord {
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
      ...label,
      message,
      metadata,
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
