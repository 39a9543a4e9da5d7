import { userInfo } from 'node:os';
import type { Answer } from '../approvals/approval.ts';
import { answerApproval } from '../client/approvals.ts';
import { connect } from '../client/client.ts';
import { homeFolder, homePaths } from '../home/paths.ts';
import { HooklineError } from '../model/errors.ts';
import { usage } from './command.ts';

/** Answers an approval from the command line, and says what came of it. */
export async function answerFromCommand(
  command: string,
  id: string | undefined,
  answer: Answer,
): Promise<number> {
  if (id === undefined) throw usage(command, 'Which one? `hookline approvals` shows the ids.');
  const client = await connect(homePaths(homeFolder()));
  if (!client) {
    throw new HooklineError(
      'DAEMON_UNREACHABLE',
      'The daemon is not running, so nothing waits for an answer.',
      {
        hint: '`hookline up` starts it.',
      },
    );
  }
  const { ok, approval } = await answerApproval(client, id, answer, `${userInfo().username} (command line)`);
  if (ok) {
    console.log(`${approval.state === 'allowed' ? 'Allowed' : 'Denied'} ${approval.id}.`);
    return 0;
  }
  console.error(
    `${approval.id} is ${approval.state}${approval.settledBy ? ` by ${approval.settledBy}` : ''} already.`,
  );
  return 1;
}
