import { folderName } from '../model/text.ts';
import type { Approval, Reply } from './approval.ts';

/** What can be answered from somewhere: refusals; what was asked, this once; or all that the dashboard can. */
export const ONLY = ['deny', 'once', 'any'] as const;
export type Only = (typeof ONLY)[number];

/** How far answers from one place go. */
export interface AnswerLimits {
  readonly only: Only;
  /** The folders of the projects that it sees and answers; null is all. */
  readonly projects: readonly string[] | null;
}

/** Whether something of this project may be seen there. What belongs to no project is seen only where all are. */
export function canSeeProject(
  { projects }: Pick<AnswerLimits, 'projects'>,
  projectId: string | null,
): boolean {
  return projects === null || (projectId !== null && projects.includes(projectId));
}

/** Why an answer is not taken from there, in a sentence; null where it is. */
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
