import { folderName } from '../model/text.ts';
import type { Approval, Reply } from './approval.ts';

/** Possible answers: only deny; allow once; or everything that the dashboard can do. */
export const ONLY = ['deny', 'once', 'any'] as const;
export type Only = (typeof ONLY)[number];

/** Limits for answers from a device. */
export interface AnswerLimits {
  readonly only: Only;
  /** Directories of the projects that it sees and answers; null for all. */
  readonly projects: readonly string[] | null;
}

/** True if the device may see this project. What belongs to no project is visible only if all projects are. */
export function canSeeProject(
  { projects }: Pick<AnswerLimits, 'projects'>,
  projectId: string | null,
): boolean {
  return projects === null || (projectId !== null && projects.includes(projectId));
}

/** Why an answer is rejected, in a sentence; null if it is accepted. */
export function limitProblem(
  limits: AnswerLimits,
  { projectId }: Pick<Approval, 'projectId'>,
  reply: Reply,
): string | null {
  if (!canSeeProject(limits, projectId)) return "You can't answer approvals of this project from here.";
  if (limits.only === 'any') return null;
  if (limits.only === 'deny') {
    if (reply.decision !== 'deny') return 'You can only deny it from here.';
  }
  if (reply.decision === 'none') return null;
  if (reply.scope !== undefined && reply.scope !== 'once') return 'You can only answer it once from here.';
  // No rule has checked an edited command.
  return reply.input === undefined ? null : "You can't edit the call from here.";
}

/** For display: `may allow once, in shop and site`. */
export function limitText({ only, projects }: AnswerLimits): string {
  const what = { deny: 'may only deny', once: 'may allow once', any: 'may also grant' }[only];
  return projects === null
    ? what
    : `${what}, in ${projects.map((one) => folderName(one)).join(' and ') || 'no project'}`;
}
