import * as v from 'valibot';
import type { Reply, ShownApproval } from '../approvals/approval.ts';
import { isApproval } from '../approvals/is-approval.ts';
import type { Client } from './client.ts';

function isShown(value: unknown): value is ShownApproval {
  return isApproval(value) && 'place' in value && 'changes' in value && Array.isArray(value.changes);
}

const approval = v.custom<ShownApproval>(isShown, 'is not an approval');
const list = v.object({ pending: v.array(approval), recent: v.array(approval) });
const result = v.object({ ok: v.boolean(), approval });

/** Pending and recently answered approvals. */
export async function fetchApprovals(
  client: Client,
): Promise<{ pending: readonly ShownApproval[]; recent: readonly ShownApproval[] }> {
  return v.parse(list, await client.get('/api/approvals'));
}

/** Answers an approval; not ok if another answer came first. */
export async function answerApproval(
  client: Client,
  id: string,
  answer: Reply,
  surface: string,
): Promise<{ ok: boolean; approval: ShownApproval }> {
  return v.parse(
    result,
    await client.post(`/api/approvals/${encodeURIComponent(id)}`, { ...answer, surface }),
  );
}
