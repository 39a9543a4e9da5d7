import type { Approver, Handler } from '../model/deciding.ts';
import { CALLS_AHEAD } from '../model/events.ts';
import type { Opinion } from '../model/recording.ts';
import { type StandingGrant, type Surroundings, standingAnswer } from './grant.ts';
import type { GrantFile } from './grant-file.ts';

/** Answers with stored grants. What a rule denies stays denied. */
export function createGrantApprover(grants: Pick<GrantFile, 'list'>, around: Surroundings): Approver {
  return {
    approve(event, response) {
      if (!CALLS_AHEAD.has(event.type) || response.decision === 'deny' || response.decision === 'allow')
        return null;
      const grant = standingAnswer(event, grants.list(), around);
      return grant && opinionOf(grant);
    },
    noticed: () => {},
  };
}

/** If grants are unreadable, one may have denied this call, so it needs approval. */
export function createLostGrantsHandler(grants: Pick<GrantFile, 'problem'>): Handler {
  return {
    name: 'grants',
    budgetMs: null,
    guards: true,
    decide({ type }) {
      const problem = CALLS_AHEAD.has(type) ? grants.problem() : null;
      if (!problem?.isLost) return [];
      const reason = `${problem.where} ${problem.message}`;
      return [{ kind: 'failure', by: 'grants', where: problem.where, response: { decision: 'ask', reason } }];
    },
  };
}

function opinionOf(grant: StandingGrant): Opinion {
  const reason = `${grant.behavior === 'allow' ? 'Approved' : 'Refused'} by ${grant.by}, ${SCOPE_WORDS[grant.scope]}.`;
  return {
    kind: 'approval',
    by: `grant ${grant.id}`,
    where: null,
    response: { decision: grant.behavior, reason },
  };
}

const SCOPE_WORDS = {
  session: 'for this session',
  branch: 'on this branch',
  project: 'in this project',
  always: 'permanently',
} as const;

/** Asks approvers one after the other until one answers. */
export function firstAnswer(...approvers: readonly Approver[]): Approver {
  return {
    approve: (...given) => answerOf(approvers, given),
    noticed(event) {
      for (const approver of approvers) approver.noticed(event);
    },
  };
}

/** Returns without a promise if no approver has to wait, as for nearly every call. */
function answerOf(
  approvers: readonly Approver[],
  given: Parameters<Approver['approve']>,
): ReturnType<Approver['approve']> {
  for (const [at, approver] of approvers.entries()) {
    const answer = approver.approve(...given);
    if (answer instanceof Promise)
      return answer.then((found) => found ?? answerOf(approvers.slice(at + 1), given));
    if (answer) return answer;
  }
  return null;
}
