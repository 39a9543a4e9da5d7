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
import { paint } from '../output/paint.ts';
import { programName } from '../program.ts';
import { offerCalm, offerProjectOnly } from './packs.ts';
import { applyPlans, diffLines, planSetup, requireInstalled, summaryLines } from './plan.ts';
import { tellProgramRecord } from './program-record.ts';
import { statusLineHere, tellWithoutStatusLine, wantsStatusLine } from './status-line.ts';

export default defineCommand({
  name: 'setup',
  summary:
    'Put Hookline into an agent’s settings, or into those of every agent that is installed. Shows what changes first; `hookline remove` undoes it.',
  words: '[agent]',
  options: {
    scope: value('user|project', 'Whose settings to edit; without it, the best place for the agent.'),
    events: value(
      'LIST',
      'The agent’s events to add, or with - before the name to leave out (--events=-Stop), separated by commas.',
    ),
    memory: flag(
      'Also tell new sessions what earlier ones did here (see `hookline memory`); off until asked for.',
    ),
    mcp: flag('Also let the agent look things up in the history (`hookline mcp`).'),
    calm: flag('Also let calls run without a question that only read in the project (the pack calm).'),
    'calm-builds': flag(
      'Also let builds and tests of the project run without a question (the pack calm-builds).',
    ),
    'project-only': flag(
      'Also ask before anything outside of the project is changed (the pack project-only).',
    ),
    statusline: flag('Also show in the agent’s status line whether it is guarded (`hookline statusline`).'),
    diff: flag('Show every line that changes, not only a summary.'),
    'dry-run': flag('Only show what would change.'),
    yes: flag('Do not ask.', { short: 'y' }),
  },
  examples: [
    ['hookline setup', 'every agent that is installed'],
    ['hookline setup claude --dry-run --diff', 'look first, at every line'],
    ['hookline setup claude --yes', 'for this user, in every project'],
    ['hookline setup claude --scope project', 'for the project in this folder only'],
    ['hookline setup claude --memory --mcp --yes', 'and let it remember'],
    ['hookline setup claude --calm', 'and ask less about what only reads'],
    ['hookline setup claude --project-only', 'and ask before anything outside of the project is changed'],
  ],
  asScript: true,
  access: ({ events, memory, calm, 'calm-builds': builds, 'dry-run': dryRun }) => {
    if (dryRun) return null;
    // To leave out events is to take protection away.
    if (events?.split(',').some((event) => event.trim().startsWith('-'))) return 'remove';
    return memory || calm || builds ? 'settings' : null;
  },
  async run(
    { scope, events, memory, mcp, statusline, calm, diff, 'dry-run': dryRun, yes, ...packs },
    [name],
    by,
  ) {
    const paths = homePaths();
    const agents = name === undefined ? await requireInstalled(paths) : [agentNamed(name, 'setup')];
    const list = events?.split(',').map((event) => event.trim()) ?? [];
    const contextOf = (agent: Agent) => setupContext(paths, scopeNamed(scope, agent, 'setup'), list);
    const isAsked = !yes && !dryRun && isAtTerminal();
    const isShown = statusline ?? (isAsked && (await wantsStatusLine(agents, contextOf)));
    const plans = await Promise.all(
      agents.map((agent) => planSetup(agent, { ...contextOf(agent), ...(isShown ? statusLineHere() : {}) })),
    );
    const show = () => console.log(diffLines(plans).join('\n'));
    for (const plan of plans) console.log(summaryLines(plan).join('\n'));
    const isChange = plans.some(({ edits }) => edits.length > 0);
    if (diff && isChange) show();
    if (dryRun) {
      if (!diff && isChange) console.log(paint.dim('--diff shows every line.'));
      return 0;
    }
    if (isChange && !(await confirmedWithDiff('Write this?', yes, 'setup', show))) {
      console.log('Nothing was written.');
      return 1;
    }
    const forwarder = applyPlans(plans, paths);
    const label = forwarderLabel({ kind: forwarder.kind, version: VERSION });
    console.log(folded(`${paint.green('Done.')} The ${label} is at ${forwarder.path}`));
    await tellProgramRecord(paths);
    if (memory) {
      writeSetting(paths.config, ['memory', 'on'], true);
      console.log('New sessions get a summary of what earlier ones did.');
    }
    await offerCalm(paths, { calm, builds: packs['calm-builds'], yes, by, agent: name });
    await offerProjectOnly(paths, { wanted: packs['project-only'], yes, agent: name });
    const code = mcp ? await registerHistoryWith(agents) : 0;
    if (statusline) tellWithoutStatusLine(agents);
    const use = agents.length === 1 ? agents[0]?.label : 'your agents';
    console.log(
      folded(`Next: use ${use}, and watch with ${paint.bold(`${programName()} events --follow`)}.`),
    );
    return code;
  },
});
