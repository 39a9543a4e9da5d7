import * as v from 'valibot';
import type { Answer, Approval } from '../approvals/approval.ts';
import type { Client } from './client.ts';

const shape = v.looseObject({
  id: v.string(),
  kind: v.picklist(['permission', 'question', 'plan', 'elicitation']),
  state: v.picklist(['pending', 'allowed', 'denied', 'expired', 'withdrawn']),
  source: v.string(),
  sessionId: v.string(),
});

/** The daemon is of our own version: what has these fields has the others. */
export function isApproval(value: unknown): value is Approval {
  return v.is(shape, value);
}

const approval = v.custom<Approval>(isApproval, 'is no approval');
const list = v.object({ pending: v.array(approval), recent: v.array(approval) });
const result = v.object({ ok: v.boolean(), approval });

/** What waits for a person, and what lately did. */
export async function fetchApprovals(
  client: Client,
): Promise<{ pending: readonly Approval[]; recent: readonly Approval[] }> {
  return v.parse(list, await client.get('/api/approvals'));
}

/** Answers one; not ok when somebody else was faster. */
export async function answerApproval(
  client: Client,
  id: string,
  answer: Answer,
  by: string,
): Promise<{ ok: boolean; approval: Approval }> {
  return v.parse(result, await client.post(`/api/approvals/${encodeURIComponent(id)}`, { ...answer, by }));
}
