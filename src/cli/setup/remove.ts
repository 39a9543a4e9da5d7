import type { Agent } from '../../agents/agent.ts';
import { applyRemoval, removal } from '../../agents/setup/journal.ts';
import type { Scope, SetupContext } from '../../agents/setup/setup.ts';
import { homePaths } from '../../home/paths.ts';
import { agentNamed, scopeNamed, setupContext } from '../agents/context.ts';
import { hookedContexts } from '../agents/hooked.ts';
import { defineCommand, flag, value } from '../command.ts';
import { confirmed } from '../confirm.ts';
import { applyUndo, planUndo } from '../hooks/import-plan.ts';
import { isHistoryBySetup, unregisterHistory } from '../mcp/history-server.ts';
import { editLines } from '../output/diff.ts';
import { paint } from '../output/paint.ts';
import { programName } from '../program.ts';

export default defineCommand({
  name: 'remove',
  summary:
    "Remove Hookline's hooks from an agent. Restores its settings byte for byte and keeps all other hooks.",
  words: '<agent>',
  options: {
    scope: value('user|project', 'Settings to edit (default: where `hookline setup` writes).'),
    'dry-run': flag('Preview the changes without writing them.'),
    yes: flag('Skip confirmation.', { short: 'y' }),
  },
  examples: [['hookline remove claude --yes', 'restore its settings']],
  asScript: true,
  access: ({ 'dry-run': dryRun }) => (dryRun ? null : 'remove'),
  async run({ scope, 'dry-run': dryRun, yes }, [name]) {
    const agent = agentNamed(name, 'remove');
    const paths = homePaths();
    const context = setupContext(paths, scopeNamed(scope, agent, 'remove'));
    const imported = planUndo([agent], context, paths);
    if (imported.names.length > 0) {
      console.log(`These hooks return to its settings first: ${imported.names.join(', ')}`);
      for (const edit of imported.edits) console.log(editLines(edit).join('\n'));
      if (!dryRun) {
        if (!(await confirmed('Restore these hooks?', yes, 'remove'))) return 1;
        applyUndo(imported, paths);
      }
    }
    const planned = () => removal(agent.setup.planRemoval(context), paths.setup);
    const contextOf = (one: Scope) => setupContext(paths, one);
    const edits = planned();
    // While another scope has Hookline, the agent keeps its access to the history.
    const isLast = hookedContexts(agent, contextOf).every((one) => one.scope === context.scope);
    const takesServer = isLast && isHistoryBySetup(agent);
    if (edits.length === 0 && !takesServer) {
      tellNothing(agent, context);
      return 0;
    }
    for (const edit of edits) console.log(editLines(edit).join('\n'));
    if (takesServer) console.log(`The command of ${agent.label} also removes the MCP server hookline.`);
    if (dryRun) return 0;
    if (!(await confirmed('Apply these changes?', yes, 'remove'))) {
      console.log('No changes made.');
      return 1;
    }
    // Runs first, because that command may write the same file. Afterwards it is as setup left it.
    const code = takesServer ? await unregisterHistory(agent) : 0;
    applyRemoval(planned(), paths.setup);
    console.log(paint.green('Done.'));
    for (const { scope: other } of hookedContexts(agent, contextOf))
      console.log(
        `Hookline is also set up in another scope. Run ${programName()} remove ${agent.id} --scope ${other}.`,
      );
    return code;
  },
});

function tellNothing({ label, setup: { wrapper } }: Agent, context: SetupContext): void {
  console.log(`${label} is not set up.`);
  if (wrapper && wrapper.hooksPath(context) !== null)
    console.log(`Hookline is installed as ${wrapper.noun}. Remove it with ${wrapper.uninstall}.`);
}
