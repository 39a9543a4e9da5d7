import { messageOf } from '../model/errors.ts';
import type { Approval } from './approval.ts';
import { grantFor, type Surroundings } from './grant.ts';
import type { GrantFile } from './grant-file.ts';

/** Makes an answer that was given for longer than this once a standing one. Says why where it cannot. */
export function createGrantKeeper(
  grants: GrantFile,
  around: Surroundings,
): (approval: Approval) => string | null {
  return (approval) => {
    const { answer, settledBy } = approval;
    if (!answer?.scope || answer.scope === 'once') return null;
    // What was changed before it was allowed is not what the agent will ask for the next time.
    if (answer.input) return 'the arguments were changed';
    const grant = grantFor(
      approval,
      {
        id: approval.id,
        behavior: answer.decision,
        scope: answer.scope === 'server' ? 'always' : answer.scope,
        reach: answer.scope === 'server' ? 'server' : 'exact',
        expiresAt: null,
        by: settledBy ?? 'unknown',
      },
      around,
    );
    if ('problem' in grant) return grant.problem;
    try {
      grants.add(grant);
      return null;
    } catch (error) {
      // The answer itself counts all the same.
      return messageOf(error);
    }
  };
}
