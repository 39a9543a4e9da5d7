import type { Agent } from '../../agents/agent.ts';
import { forwarderLabel } from '../../forwarder/install.ts';
import { writeSetting } from '../../home/config.ts';
import { homePaths } from '../../home/paths.ts';
import { folded } from '../../terminal/fold.ts';
import { VERSION } from '../../version.ts';
import { agentNamed, scopeNamed, setupContext } from '../agents/context.ts';
import { defineCommand, flag, value } from '../command.ts';
import { confirmedWithDiff, isAtTerminal } from '../confirm.ts';
import { registerHistoryWith } from '../mcp/history-server.ts';
import { showPaged } from '../output/pager.ts';
import { paint } from '../output/paint.ts';
import { programName } from '../program.ts';
import { offerCalm, offerProjectOnly } from './packs.ts';
import { applyPlans, diffLines, planSetup, requireInstalled, summaryLines } from './plan.ts';
import { tellProgramRecord } from './program-record.ts';
import { statusLineHere, tellWithoutStatusLine, wantsStatusLine } from './status-line.ts';

export default defineCommand({
  name: 'setup',
  summary:
    "Install Hookline's hooks in one agent, or in all installed agents. Shows the changes first; `hookline remove` undoes them.",
  words: '[agent]',
  options: {
    scope: value('user|project', "Settings to edit (default: the agent's recommended scope)."),
    events: value(
      'LIST',
      'Comma-separated agent events to add; prefix with - to leave out (--events=-Stop).',
    ),
    memory: flag('Turn on memory for new sessions (see `hookline memory`).'),
    mcp: flag('Give the agent access to the history over MCP (`hookline mcp`).'),
    calm: flag('Auto-allow read-only calls in the project (pack `calm`).'),
    'calm-builds': flag('Auto-allow builds and tests of the project (pack `calm-builds`).'),
    'project-only': flag('Require approval for changes outside the project (pack `project-only`).'),
    statusline: flag("Show Hookline's status in the agent's status line."),
    diff: flag('Show a full diff.'),
    'dry-run': flag('Preview the changes without writing them.'),
    yes: flag('Skip confirmation.', { short: 'y' }),
  },
  examples: [
    ['hookline setup', 'every installed agent'],
    ['hookline setup claude --dry-run --diff', 'preview every changed line'],
    ['hookline setup claude --yes', 'for this user, in every project'],
    ['hookline setup claude --scope project', 'for the project in this directory only'],
    ['hookline setup claude --memory --mcp --yes', 'with memory and history access'],
    ['hookline setup claude --calm', 'with fewer prompts for read-only calls'],
    ['hookline setup claude --project-only', 'with approval for changes outside the project'],
  ],
  asScript: true,
  access: ({ events, memory, calm, 'calm-builds': builds, 'dry-run': dryRun }) => {
    if (dryRun) return null;
    // Leaving out events reduces protection.
    if (events?.split(',').some((event) => event.trim().startsWith('-'))) return 'remove';
    return memory || calm || builds ? 'settings' : null;
  },
  async run(
    { scope, events, memory, mcp, statusline, calm, diff, 'dry-run': dryRun, yes, ...packs },
    [name],
    by,
  ) {
    const paths = homePaths();
    const found = name === undefined ? await requireInstalled(paths) : null;
    const agents = found === null ? [agentNamed(name, 'setup')] : [...found.keys()];
    const list = events?.split(',').map((event) => event.trim()) ?? [];
    const contextOf = (agent: Agent) => setupContext(paths, scopeNamed(scope, agent, 'setup'), list);
    const isAsked = !yes && !dryRun && isAtTerminal();
    const isShown = statusline ?? (isAsked && (await wantsStatusLine(agents, contextOf)));
    const plans = await Promise.all(
      agents.map((agent) =>
        planSetup(agent, { ...contextOf(agent), ...(isShown ? statusLineHere() : {}) }, found?.get(agent)),
      ),
    );
    const show = () => showPaged(diffLines(plans));
    for (const plan of plans) console.log(summaryLines(plan).join('\n'));
    const isChange = plans.some(({ edits }) => edits.length > 0);
    if (diff && isChange) await show();
    if (dryRun) {
      if (!diff && isChange) console.log(paint.dim('Show every line with --diff.'));
      return 0;
    }
    if (isChange && !(await confirmedWithDiff('Apply these changes?', yes, 'setup', show))) {
      console.log('No changes made.');
      return 1;
    }
    const forwarder = applyPlans(plans, paths);
    const label = forwarderLabel({ kind: forwarder.kind, version: VERSION });
    console.log(folded(`${paint.green('Done.')} The ${label} is at ${forwarder.path}`));
    await tellProgramRecord(paths);
    if (memory) {
      writeSetting(paths.config, ['memory', 'on'], true);
      console.log('Memory is on: new sessions get a summary of earlier ones.');
    }
    await offerCalm(paths, { calm, builds: packs['calm-builds'], yes, by, agent: name });
    await offerProjectOnly(paths, { wanted: packs['project-only'], yes, agent: name });
    const code = mcp ? await registerHistoryWith(agents) : 0;
    if (statusline) tellWithoutStatusLine(agents);
    const use = agents.length === 1 ? agents[0]?.label : 'your agents';
    console.log(
      folded(
        `Next: use ${use}, and follow the events with ${paint.bold(`${programName()} events --follow`)}.`,
      ),
    );
    return code;
  },
});
