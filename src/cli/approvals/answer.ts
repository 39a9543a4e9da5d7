import { type AnswerScope, type Reply, SCOPES, settlementText } from '../../approvals/approval.ts';
import { answerApproval } from '../../client/approvals.ts';
import { connect } from '../../client/client.ts';
import { homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { usage } from '../command.ts';

const DONE = { allow: 'Allowed', deny: 'Denied', none: 'Handed back to the agent:' } as const;

/** Answers an approval from the command line and prints the result. */
export async function answerFromCommand(
  command: string,
  id: string | undefined,
  answer: Reply,
): Promise<number> {
  if (id === undefined) throw usage(command, 'Missing approval ID. Run `hookline approvals` to list them.');
  const client = await connect(homePaths());
  if (!client) {
    throw new HooklineError(
      'DAEMON_UNREACHABLE',
      'The daemon is not running, so there are no pending approvals.',
    );
  }
  const { ok, approval } = await answerApproval(client, id, answer, 'command line');
  if (ok) {
    console.log(`${DONE[answer.decision]} ${approval.id}.`);
    return 0;
  }
  console.error(`${approval.id} was already answered: ${settlementText(approval)}.`);
  return 1;
}

export function scopeOption(command: string, scope: string | undefined): AnswerScope | undefined {
  const known = SCOPES.find((one) => one === scope);
  if (scope !== undefined && !known) throw usage(command, `--scope takes one of ${SCOPES.join(', ')}.`);
  return known;
}
