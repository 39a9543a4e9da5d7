import type { Agent } from '../../agents/agent.ts';
import type { SetupContext } from '../../agents/setup/setup.ts';
import { folded } from '../../terminal/fold.ts';
import { confirmedHere } from '../confirm.ts';
import { ownShellCommand } from '../program.ts';

/** The setup option that makes the agent show our line. */
export function statusLineHere(): Pick<SetupContext, 'statusLine'> {
  return { statusLine: ownShellCommand('statusline') };
}

/** Asks only if an agent can show a line and shows none: the user's own line is not replaced. */
export async function wantsStatusLine(
  agents: readonly Agent[],
  contextOf: (agent: Agent) => SetupContext,
): Promise<boolean> {
  const labels = agents.filter((agent) => hasRoom(agent, contextOf(agent))).map(({ label }) => label);
  if (labels.length === 0) return false;
  return confirmedHere(`Show Hookline's status in the status line of ${labels.join(' and ')}?`);
}

/** Names the agents that can't show it. */
export function tellWithoutStatusLine(agents: readonly Agent[]): void {
  const labels = agents.filter(({ setup }) => !setup.statusLineSession).map(({ label }) => label);
  if (labels.length > 0) console.log(folded(`Can't add a status line to ${labels.join(', ')}.`));
}

function hasRoom({ setup }: Agent, context: SetupContext): boolean {
  if (!setup.statusLineSession) return false;
  const after = (one: SetupContext) =>
    setup
      .plan(one)
      .map((edit) => edit.after)
      .join();
  return after({ ...context, ...statusLineHere() }) !== after(context);
}
