import { isApproval } from '../../approvals/is-approval.ts';
import type { ApprovalStore } from '../../approvals/queue.ts';
import type { Database } from '../database/driver.ts';
import { approvalOfEvent, findApproval, pendingApprovals } from '../read/approvals.ts';
import type { Redact } from './event-json.ts';
import { plainId } from './event-row.ts';

/** Approvals in the database. What a person sees of a call is redacted like everything else stored. */
export function createApprovalStore(db: Database, redact: Redact): ApprovalStore {
  const insert = db.prepare(`
    INSERT INTO approvals (id, event_id, source, session_id, state, created_at, settled_at, approval)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET state = excluded.state, settled_at = excluded.settled_at, approval = excluded.approval`);
  return {
    save(approval) {
      const { id, eventId, source, sessionId, state, createdAt, settledAt } = approval;
      insert.run(
        id,
        eventId,
        source,
        plainId(sessionId),
        state,
        createdAt,
        settledAt,
        redact(JSON.stringify(approval)),
      );
    },
    find: (id) => findApproval(db, id),
    pending: () => pendingApprovals(db),
    ofEvent: (eventId) => approvalOfEvent(db, eventId),
    kept(approval) {
      const kept: unknown = JSON.parse(redact(JSON.stringify(approval)));
      return isApproval(kept) ? kept : approval;
    },
  };
}
