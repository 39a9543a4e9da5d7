import { type AnswerScope, type Reply, SCOPES, settlementText } from '../../approvals/approval.ts';
import { answerApproval } from '../../client/approvals.ts';
import { connect } from '../../client/client.ts';
import { homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { usage } from '../command.ts';

const DONE = { allow: 'Allowed', deny: 'Denied', none: 'Left to the agent:' } as const;

/** Answers an approval from the command line, and says what came of it. */
export async function answerFromCommand(
  command: string,
  id: string | undefined,
  answer: Reply,
): Promise<number> {
  if (id === undefined) throw usage(command, 'Which one? `hookline approvals` shows the ids.');
  const client = await connect(homePaths());
  if (!client) {
    throw new HooklineError(
      'DAEMON_UNREACHABLE',
      'The daemon is not running, so nothing waits for an answer.',
      {
        hint: '`hookline up` starts it.',
      },
    );
  }
  const { ok, approval } = await answerApproval(client, id, answer, 'command line');
  if (ok) {
    console.log(`${DONE[answer.decision]} ${approval.id}.`);
    return 0;
  }
  console.error(`${approval.id} was settled before: ${settlementText(approval)}.`);
  return 1;
}

export function scopeOption(command: string, scope: string | undefined): AnswerScope | undefined {
  const known = SCOPES.find((one) => one === scope);
  if (scope !== undefined && !known) throw usage(command, `--scope is one of ${SCOPES.join(', ')}.`);
  return known;
}
