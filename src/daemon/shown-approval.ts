import { AGENTS } from '../agents/_registry.ts';
import type { Approval, ShownApproval } from '../approvals/approval.ts';
import { grantSubject } from '../approvals/grant-subject.ts';
import { isApproval } from '../approvals/stored-approval.ts';
import { shownChanges } from '../history/event-detail.ts';
import { subjectWorld, worldOf } from '../home/engine.ts';
import { folderName } from '../model/text.ts';
import { redact } from '../redact/redact.ts';

/**
 * An approval for surfaces. Secrets are taken out before the change is cut into lines: one that goes over several
 * lines cannot be recognised in a single one.
 */
export function shownApproval(approval: Approval): ShownApproval {
  const safe: unknown = JSON.parse(redact(JSON.stringify(approval)));
  const place = placeOf(approval);
  if (!isApproval(safe) || safe.tool === null) return { ...approval, place, changes: [], covers: null };
  const { source, tool, cwd } = safe;
  const subject = grantSubject({ source, tool, cwd }, subjectWorld());
  return {
    ...safe,
    place,
    changes: shownChanges(AGENTS.get(source)?.history, tool),
    covers: subject?.covers ?? null,
  };
}

/** While it waits, the branch of now is the one that it is about. */
function placeOf({ projectId, cwd, state }: Approval): string {
  const branch = cwd === null || state !== 'pending' ? null : worldOf().branchOf(cwd);
  return redact([folderName(projectId ?? cwd), branch].filter(Boolean).join(' · '));
}
