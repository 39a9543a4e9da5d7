import { AGENTS } from '../../agents/_registry.ts';
import type { Agent } from '../../agents/agent.ts';
import { scopesOf } from '../../agents/setup/setup.ts';
import { homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { agentNamed, setupContext } from '../agents/context.ts';
import { defineCommand, flag, usage, value } from '../command.ts';
import { confirmed } from '../confirm.ts';
import { editLines } from '../output/diff.ts';
import { paint } from '../output/paint.ts';
import { typedHere } from '../program.ts';
import { applyImport, applyUndo, type Found, findHooks, planImport, planUndo } from './import-plan.ts';

export default defineCommand({
  name: 'import',
  summary: 'Move hooks from agent settings to Hookline, so they run for every agent.',
  words: '[agent]',
  options: {
    list: flag('Only list the hooks.'),
    only: value('NAMES', 'Comma-separated hooks to import, in the order in which they will run.'),
    undo: flag('Move them back to the agent settings.'),
    'dry-run': flag('Preview the changes without writing them.'),
    yes: flag('Skip confirmation.', { short: 'y' }),
    json: flag('With --list: one JSON object per line.'),
  },
  examples: [
    ['hookline import --list', 'hooks of all agents'],
    ['hookline import --only guard,format', 'these two, in this order'],
    ['hookline import --undo', 'restore the original settings'],
  ],
  asScript: true,
  access: ({ list, 'dry-run': dryRun }) => (list || dryRun ? null : 'hooks'),
  async run({ list, only, undo, 'dry-run': dryRun, yes, json }, [name]) {
    const paths = homePaths();
    const context = setupContext(paths, 'user');
    const agents = name === undefined ? [...AGENTS.values()] : [agentNamed(name, 'import')];
    if (undo) {
      const plan = planUndo(agents, context, paths);
      for (const edit of plan.edits) console.log(editLines(edit).join('\n'));
      if (plan.names.length === 0) console.log('No imported hooks.');
      if (plan.names.length === 0 || dryRun) return 0;
      if (!(await confirmed('Restore these hooks?', yes, 'import'))) return 1;
      applyUndo(plan, paths);
      console.log(`${paint.green('Done.')} Restored ${plan.names.join(', ')}.`);
      return 0;
    }
    const found = findHooks(agents, context, paths);
    if (list || found.length === 0) {
      for (const one of found) console.log(json ? JSON.stringify(publicForm(one)) : line(one));
      if (found.length === 0 && !json) console.log('No hooks to import.');
      return 0;
    }
    const chosen = choose(found, only);
    for (const one of chosen) console.log(line(one));
    for (const { agent } of chosen) assertSetUp(agent);
    const moves = planImport(chosen, context);
    for (const edit of moves.flatMap(({ edits }) => edits)) console.log(editLines(edit).join('\n'));
    if (chosen.length === 0) console.log('None of these hooks can be imported.');
    if (dryRun || chosen.length === 0) return 0;
    if (!(await confirmed('Import these hooks?', yes, 'import'))) {
      console.log('No changes made.');
      return 1;
    }
    applyImport(chosen, moves, paths);
    console.log(`${paint.green('Done.')} The hooks are now in ${paths.hooksFile} and run for every agent.`);
    console.log(
      typedHere(
        'Undo with `hookline import --undo`. `hookline remove <agent>` also restores them for that agent.',
      ),
    );
    return 0;
  },
});

function choose(found: readonly Found[], only: string | undefined): readonly Found[] {
  if (only === undefined) return found.filter(({ hook }) => hook.entry !== null);
  return only.split(',').map((word) => {
    const one = found.find(({ name }) => name === word.trim());
    if (!one) throw usage('import', `Unknown hook "${word.trim()}". Run with --list to see them.`);
    if (one.hook.entry === null) throw usage('import', `${one.name} can't be imported: ${one.hook.why}.`);
    return one;
  });
}

/** A hook that is removed from the settings and not in Hookline would not run at all. */
function assertSetUp(agent: Agent): void {
  const isIn = scopesOf(agent.setup).some((scope) => {
    const findings = agent.setup.inspect(setupContext(homePaths(), scope));
    return !findings.some(({ code }) => code === 'not-set-up');
  });
  if (isIn) return;
  throw new HooklineError(
    'USAGE',
    `${agent.label} is not set up, so Hookline couldn't run these hooks there.`,
    {
      hint: `Run \`hookline setup ${agent.id}\` first.`,
    },
  );
}

function publicForm({ agent, hook: { path, placed, entry, why, warning }, name }: Found) {
  return {
    name,
    agent: agent.id,
    file: path,
    event: placed.event,
    matcher: placed.matcher ?? null,
    entry,
    why,
    warning,
  };
}

function line({ agent, hook: { path, placed, entry, why, warning }, name }: Found): string {
  const matcher = typeof placed.matcher === 'string' ? ` ${placed.matcher}` : '';
  const stays = entry === null ? paint.yellow(` can't be imported: ${why}`) : '';
  const odd = warning === null ? '' : `\n  ${paint.yellow('warning')}: ${warning}`;
  return `${paint.bold(name)}  ${agent.id} ${placed.event}${matcher} ${paint.dim(path)}${stays}${odd}`;
}
