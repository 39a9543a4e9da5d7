import { applyRemoval, removal } from '../../agents/kit/setup-journal.ts';
import { homeFolder, homePaths } from '../../home/paths.ts';
import { defineCommand } from '../command.ts';
import { confirmed } from '../confirm.ts';
import { editLines } from '../diff.ts';
import { hookedContexts } from '../hooked.ts';
import { applyUndo, planUndo } from '../import-plan.ts';
import { paint } from '../paint.ts';
import { programName } from '../program.ts';
import { agentNamed, scopeNamed, setupContext } from '../setup-context.ts';

export default defineCommand({
  name: 'remove',
  summary:
    'Take Hookline out of an agent’s settings: byte for byte as before, and nobody else’s hooks touched.',
  words: '<agent>',
  options: {
    scope: {
      type: 'string',
      value: 'user|project',
      description: 'Whose settings to edit; without it, where `hookline setup` writes by itself.',
    },
    'dry-run': { type: 'boolean', description: 'Only show the edit.' },
    yes: { type: 'boolean', short: 'y', description: 'Do not ask.' },
  },
  examples: [['hookline remove claude --yes', 'leave no trace in its settings']],
  asScript: true,
  access: ({ 'dry-run': dryRun }) => (dryRun ? null : 'remove'),
  async run({ scope, 'dry-run': dryRun, yes }, [name]) {
    const agent = agentNamed(name, 'remove');
    const paths = homePaths(homeFolder());
    const context = setupContext(paths, scopeNamed(scope, agent, 'remove'));
    const imported = planUndo([agent], context, paths);
    if (imported.names.length > 0) {
      console.log(`These come back into its settings first: ${imported.names.join(', ')}`);
      for (const edit of imported.edits) console.log(editLines(edit).join('\n'));
      if (!dryRun) {
        if (!(await confirmed('Put them back?', yes, 'remove'))) return 1;
        applyUndo(imported, paths);
      }
    }
    const edits = removal(agent.setup.planRemoval(context), paths.setup);
    if (edits.length === 0) {
      console.log(`Hookline is not in the settings of ${agent.label}.`);
      const { wrapper } = agent.setup;
      if (wrapper && wrapper.hooksPath(context) !== null)
        console.log(`It is there as ${wrapper.noun}: ${wrapper.uninstall} removes it.`);
      return 0;
    }
    for (const edit of edits) console.log(editLines(edit).join('\n'));
    if (dryRun) return 0;
    if (!(await confirmed('Write this?', yes, 'remove'))) {
      console.log('Nothing was written.');
      return 1;
    }
    applyRemoval(edits, paths.setup);
    console.log(paint.green('Done.'));
    for (const { scope: other } of hookedContexts(agent, (one) => setupContext(paths, one)))
      console.log(`It is also there: ${programName()} remove ${agent.id} --scope ${other}`);
    return 0;
  },
});
