import { withdrawLeftovers } from '../approvals/queue.ts';
import { openHome } from '../home/open.ts';
import type { HomePaths } from '../home/paths.ts';
import { redact } from '../redact/redact.ts';
import { createApprovalStore } from '../store/approvals.ts';

/** Ingests the spool of a home without a daemon. False when another process has it. */
export function ingestHere(paths: HomePaths): boolean {
  const home = openHome(paths);
  if (!home) return false;
  withdrawLeftovers(createApprovalStore(home.db, redact), Date.now());
  home.ingest();
  home.close();
  return true;
}
