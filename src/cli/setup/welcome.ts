import { AGENTS } from '../../agents/_registry.ts';
import type { Agent } from '../../agents/agent.ts';
import { scopesOf } from '../../agents/setup/setup.ts';
import { connectOrStart } from '../../client/client.ts';
import { requireAccess } from '../../client/require-access.ts';
import { writeSetting } from '../../home/config.ts';
import { type HomePaths, homePaths } from '../../home/paths.ts';
import { folded } from '../../terminal/fold.ts';
import { setupContext } from '../agents/context.ts';
import { defineCommand } from '../command.ts';
import { confirmedHere, confirmedWithDiff } from '../confirm.ts';
import { showPaged } from '../output/pager.ts';
import { paint } from '../output/paint.ts';
import { programName, typedHere } from '../program.ts';
import { openTrial, triedLines } from '../rules/tried.ts';
import { offerCalm, offerProjectOnly } from './packs.ts';
import { applyPlans, diffLines, installedAgents, planSetup, type SetupPlan, summaryLines } from './plan.ts';
import { tellProgramRecord } from './program-record.ts';
import { statusLineHere, wantsStatusLine } from './status-line.ts';

export default defineCommand({
  name: 'welcome',
  summary: 'Guided setup. Plain `hookline` runs it the first time.',
  options: {},
  examples: [['hookline welcome', 'in a terminal']],
  async run() {
    const paths = homePaths();
    const plans = await plansHere(paths);
    const labels = [...AGENTS.values()].map(({ label }) => label).join(', ');
    if (plans.length === 0) {
      console.log(`No supported agent found on PATH (${labels}).`);
      console.log(
        `Install one, or try Hookline with recorded sessions: ${paint.bold(`${programName()} demo`)}`,
      );
      return 0;
    }
    const found = plans.map(({ agent }) => agent.label).join(', ');
    console.log(folded(`Hookline checks tool calls before your agents run them. Found: ${found}.`));
    const chosen = await withStatusLine(await choose(plans), paths);
    if (chosen.length === 0) {
      console.log(`No changes made. Run ${paint.bold(`${programName()} setup`)} when you're ready.`);
      return 0;
    }
    applyPlans(chosen, paths);
    await tellProgramRecord(paths);
    await offerCalm(paths, { calm: undefined, builds: undefined, yes: false, by: '' });
    await offerProjectOnly(paths, { wanted: undefined, yes: false });
    await offerMemory(paths);
    const { client } = await connectOrStart(paths);
    console.log(
      typedHere(
        `${paint.green('Done.')} The dashboard is at ${client.info.http}. Open it with \`hookline open\`.`,
      ),
    );
    return tryOut(chosen);
  },
});

async function plansHere(paths: HomePaths): Promise<readonly SetupPlan[]> {
  const agents = await installedAgents(paths);
  return Promise.all(
    [...agents].map(([agent, found]) =>
      planSetup(agent, setupContext(paths, scopesOf(agent.setup)[0]), found),
    ),
  );
}

/** One question per agent. */
async function choose(plans: readonly SetupPlan[]): Promise<readonly SetupPlan[]> {
  const chosen: SetupPlan[] = [];
  for (const plan of plans) {
    console.log(`\n${summaryLines(plan).join('\n')}`);
    const show = () => showPaged(diffLines([plan]));
    if (await confirmedWithDiff(`Set up ${plan.agent.label}?`, false, 'welcome', show)) chosen.push(plan);
  }
  return chosen;
}

/** The same plans, with our status line for the agents that can show it, if wanted. */
async function withStatusLine(plans: readonly SetupPlan[], paths: HomePaths): Promise<readonly SetupPlan[]> {
  const contextOf = ({ setup }: Agent) => setupContext(paths, scopesOf(setup)[0]);
  const agents = plans.map(({ agent }) => agent);
  if (!(await wantsStatusLine(agents, contextOf))) return plans;
  return Promise.all(
    plans.map(({ agent, found }) => planSetup(agent, { ...contextOf(agent), ...statusLineHere() }, found)),
  );
}

async function offerMemory(paths: HomePaths): Promise<void> {
  // Off unless chosen: it adds text to the sessions of every agent.
  const question = 'Turn on memory? New sessions get a summary of earlier ones in the same project.';
  if (!(await confirmedHere(question, false))) return;
  await requireAccess(paths, 'settings');
  writeSetting(paths.config, ['memory', 'on'], true);
}

/** A call that is denied on every machine, to show what a denial looks like. */
async function tryOut([first]: readonly SetupPlan[]): Promise<number> {
  const program = programName();
  console.log(`\nHere is what happens if ${first?.agent.label} runs \`git push --force\`:`);
  const id = first?.agent.id ?? '';
  const call = { agent: id, tool: 'Bash', input: { command: 'git push --force origin main' } };
  console.log(triedLines(id, await openTrial(homePaths()).ask(call)).join('\n'));
  console.log(
    `\n${folded(`Next: use your agents. Run ${paint.bold(`${program} watch`)} to watch them and ${paint.bold(`${program} status`)} for their status.`)}`,
  );
  return 0;
}
