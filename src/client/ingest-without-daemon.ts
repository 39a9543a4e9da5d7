import { alertRecord } from '../access/record.ts';
import { withoutExpired } from '../approvals/answers-in-doubt.ts';
import { openHome } from '../home/open.ts';
import type { HomePaths } from '../home/paths.ts';
import { redact } from '../redact/redact.ts';
import { createApprovalStore } from '../store/record/approval-store.ts';

/** Ingests the spool of a home without a daemon. False when another process has it. */
export function ingestWithoutDaemon(paths: HomePaths): boolean {
  const home = openHome(paths);
  if (!home) return false;
  withoutExpired(createApprovalStore(home.db, redact), Date.now());
  home.ingest();
  // This process ends with its messages, and no later daemon would find them.
  for (const alert of home.alerts.list()) {
    const record = alertRecord(alert);
    home.recorder.commit({ ...record, event: home.recorder.place(record.event) });
  }
  home.close();
  return true;
}
