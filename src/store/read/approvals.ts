import type { Approval } from '../../approvals/approval.ts';
import { isApproval } from '../../approvals/is-approval.ts';
import type { Database, Row } from '../database/driver.ts';
import type { EventFilter } from './queries.ts';

export function findApproval(db: Database, id: string): Approval | null {
  return listApprovals(db, 'WHERE id = ?', id)[0] ?? null;
}

/** The newest approval of an event. */
export function approvalOfEvent(db: Database, eventId: string): Approval | null {
  return listApprovals(db, 'WHERE event_id = ? ORDER BY created_at DESC LIMIT 1', eventId)[0] ?? null;
}

/** Newest first, whether answered or not. */
export function recentApprovals(db: Database, limit: number): readonly Approval[] {
  return listApprovals(db, 'ORDER BY created_at DESC LIMIT ?', limit);
}

export function pendingApprovals(db: Database): readonly Approval[] {
  return listApprovals(db, "WHERE state = 'pending' ORDER BY created_at");
}

/** Pending approvals that match a filter. Skips expired ones that a killed daemon left behind. */
export function waitingApprovals(
  db: Database,
  { source, project, session, since, until }: EventFilter,
  now: number,
): readonly Approval[] {
  return pendingApprovals(db).filter(
    (one) =>
      one.expiresAt > now &&
      (source === undefined || one.source === source) &&
      (project === undefined || one.projectId === project) &&
      (session === undefined || one.sessionId === session) &&
      (since === undefined || one.createdAt >= since) &&
      (until === undefined || one.createdAt < until),
  );
}

/** Approvals that ended in a time range, oldest first. */
export function settledApprovals(db: Database, since: number, until: number): readonly Approval[] {
  return listApprovals(db, 'WHERE settled_at >= ? AND settled_at < ? ORDER BY settled_at', since, until);
}

function listApprovals(db: Database, clause: string, ...parameters: (string | number)[]): Approval[] {
  const rows = db.prepare(`SELECT approval FROM approvals ${clause}`).all(...parameters);
  return rows.flatMap((row) => readApproval(row) ?? []);
}

function readApproval(row: Row): Approval | null {
  const value: unknown = JSON.parse(String(row.approval));
  return isApproval(value) ? value : null;
}
