import { messageOf } from '../model/errors.ts';
import type { Approval } from './approval.ts';
import { grantFor, type Surroundings } from './grant.ts';
import type { GrantFile } from './grant-file.ts';

/** Stores an answer with a longer scope as a grant. Returns the reason if that isn't possible. */
export function createGrantKeeper(
  grants: GrantFile,
  around: Surroundings,
): (approval: Approval) => string | null {
  return (approval) => {
    const { answer, settledBy } = approval;
    if (!answer?.scope || answer.scope === 'once') return null;
    // The agent will ask for the original arguments next time, not for the changed ones.
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
      // The answer itself still counts.
      return messageOf(error);
    }
  };
}
