import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { AGENTS } from '../agents/_registry.ts';
import type { Approval, ShownApproval } from '../approvals/approval.ts';
import { grantSubject } from '../approvals/grant-subject.ts';
import { isApproval } from '../approvals/is-approval.ts';
import { shownChanges } from '../history/calls/event-detail.ts';
import { subjectWorld, worldOf } from '../home/engine.ts';
import { folderName } from '../model/text.ts';
import type { ToolCall } from '../model/tools.ts';
import { foldersUpward } from '../platform/long-path.ts';
import { sha256 } from '../platform/sha256.ts';
import { redact } from '../redact/redact.ts';
import { idToday } from '../rules/gone.ts';
import { matchedWords } from '../rules/review/matched-words.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import { analyse } from '../shell/analyse.ts';
import type { Database } from '../store/database/driver.ts';

/** What the home knows about an approval beyond the approval itself. */
type Around = Pick<ShownApproval, 'asked' | 'marks'>;
const NOTHING: Around = { asked: null, marks: [] };

/** Approvals of a home, prepared for display. The details of a pending approval are looked up once. */
export function createApprovalView(db: Database, rules: RuleSet): (approval: Approval) => ShownApproval {
  const known = new WeakMap<Approval, ShownApproval>();
  return (approval) => {
    const before = known.get(approval);
    if (before) return before;
    const shown = shownApproval(approval, { asked: promptOf(db, approval), marks: marksOf(rules, approval) });
    known.set(approval, shown);
    return shown;
  };
}

/**
 * An approval for display. Secrets are redacted before the change is split into lines, because no single line would
 * reveal a multi-line secret.
 */
export function shownApproval(approval: Approval, around: Around = NOTHING): ShownApproval {
  const safe: unknown = JSON.parse(redact(JSON.stringify(approval)));
  const place = placeText(approval);
  const group = groupOf(approval);
  if (!isApproval(safe) || safe.tool === null) return { ...approval, ...around, ...NO_CALL, place, group };
  const { source, tool, cwd } = safe;
  const subject = grantSubject({ source, tool, cwd }, subjectWorld());
  return {
    ...safe,
    asked: around.asked,
    place,
    group,
    changes: shownChanges(AGENTS.get(source)?.history, tool),
    covers: subject?.covers ?? null,
    // Marks are positions in the original command, and redaction moves them.
    marks: tool.command === approval.tool?.command ? around.marks : [],
    runsWith: Object.entries(subjectWorld().runOptions(source, tool)).map(shownOption),
    destructive: isDestructive(tool),
  };
}

const NO_CALL = { changes: [], covers: null, runsWith: [], destructive: false, marks: [] } as const;

function shownOption([name, value]: readonly [string, unknown]): string {
  return `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}

/** While the approval is pending, the current branch is the right one. */
function placeText({ projectId, cwd, state }: Approval): string {
  const branch = cwd === null || state !== 'pending' ? null : worldOf().branchOf(cwd);
  const folder = [folderName(projectId ?? cwd), state === 'pending' ? folderBelow({ projectId, cwd }) : ''];
  return redact([folder.filter(Boolean).join('/'), branch].filter(Boolean).join(' · '));
}

/** The directory within the repository; empty at the root. The same line does something else in another directory. */
function folderBelow({ projectId, cwd }: Pick<Approval, 'projectId' | 'cwd'>): string {
  if (cwd === null) return '';
  for (const at of foldersUpward(cwd))
    if (at !== dirname(at) && existsSync(join(at, '.git'))) return relative(at, cwd);
  return relative(projectId ?? cwd, cwd);
}

/** Arguments that are only remarks, such as a description, don't make two requests different. */
function groupOf({ id, kind, source, tool, rules, projectId, cwd }: Approval): string {
  if (kind !== 'permission' || tool === null) return id;
  const what = tool.command === null ? tool.input : [tool.command, subjectWorld().runOptions(source, tool)];
  // Hashed, because the subject may contain a secret.
  return sha256(JSON.stringify([tool.name, what, rules, folderBelow({ projectId, cwd })])).slice(0, 16);
}

function isDestructive({ command, files }: ToolCall): boolean {
  if (files.some(({ op }) => op === 'delete')) return true;
  if (command === null) return false;
  return analyse(command).effects.some((effect) => {
    if (effect.kind === 'delete') return !effect.moved;
    if (effect.kind === 'vcs') return effect.force || effect.loses.length > 0;
    return effect.kind === 'resource' && effect.destructive;
  });
}

/** The newest prompt of the session when the approval was created. */
function promptOf(db: Database, { source, sessionId, createdAt }: Approval): ShownApproval['asked'] {
  const row = db
    .prepare(
      `SELECT prompt_number AS turn, substr(json_extract(event, '$.prompt'), 1, 1000) AS prompt FROM events
       WHERE session_id = ? AND source = ? AND +type = 'before_agent' AND agent_id IS NULL AND timestamp <= ?
       ORDER BY sequence DESC LIMIT 1`,
    )
    .get(sessionId, source, createdAt);
  return row?.prompt == null ? null : { prompt: String(row.prompt), turn: Number(row.turn) };
}

function marksOf(
  rules: RuleSet,
  { state, source, cwd, tool, projectId, rules: ids }: Approval,
): Around['marks'] {
  if (state !== 'pending' || !tool?.command) return [];
  const today = ids.map(idToday);
  const asking = rules.inForce(projectId).rules.filter(({ id }) => today.includes(id));
  const marks = asking.flatMap((rule) => matchedWords(rule, { source, cwd, tool }, worldOf()));
  return marks.sort((a, b) => a[0] - b[0]).filter(([start], at) => start >= (marks[at - 1]?.[1] ?? 0));
}
