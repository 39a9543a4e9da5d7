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
  summary:
    'Move hooks that you have in an agent’s settings behind Hookline, in an order, so that they apply to every agent.',
  words: '[agent]',
  options: {
    list: flag('Only show what there is.'),
    only: value('NAMES', 'These, separated by commas, in the order in which they are to be asked.'),
    undo: flag('Put them back where they were.'),
    'dry-run': flag('Only show the edits.'),
    yes: flag('Do not ask.', { short: 'y' }),
    json: flag('With --list: one JSON object a line.'),
  },
  examples: [
    ['hookline import --list', 'what every agent has'],
    ['hookline import --only guard,format', 'these two, in this order'],
    ['hookline import --undo', 'as it was'],
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
      if (plan.names.length === 0) console.log('Nothing was imported.');
      if (plan.names.length === 0 || dryRun) return 0;
      if (!(await confirmed('Put them back?', yes, 'import'))) return 1;
      applyUndo(plan, paths);
      console.log(`${paint.green('Done.')} ${plan.names.join(', ')}: back where they were.`);
      return 0;
    }
    const found = findHooks(agents, context, paths);
    if (list || found.length === 0) {
      for (const one of found) console.log(json ? JSON.stringify(publicForm(one)) : line(one));
      if (found.length === 0 && !json) console.log('There are no hooks of others in the settings.');
      return 0;
    }
    const chosen = choose(found, only);
    for (const one of chosen) console.log(line(one));
    for (const { agent } of chosen) assertSetUp(agent);
    const moves = planImport(chosen, context);
    for (const edit of moves.flatMap(({ edits }) => edits)) console.log(editLines(edit).join('\n'));
    if (chosen.length === 0) console.log('None of them can be moved.');
    if (dryRun || chosen.length === 0) return 0;
    if (!(await confirmed('Move them?', yes, 'import'))) {
      console.log('Nothing was written.');
      return 1;
    }
    applyImport(chosen, moves, paths);
    console.log(`${paint.green('Done.')} They are in ${paths.hooksFile} now, and apply to every agent.`);
    console.log(
      typedHere(
        '`hookline import --undo` puts them back, and so does `hookline remove <agent>` for its agent.',
      ),
    );
    return 0;
  },
});

function choose(found: readonly Found[], only: string | undefined): readonly Found[] {
  if (only === undefined) return found.filter(({ hook }) => hook.entry !== null);
  return only.split(',').map((word) => {
    const one = found.find(({ name }) => name === word.trim());
    if (!one) throw usage('import', `There is no hook "${word.trim()}"; --list shows them.`);
    if (one.hook.entry === null) throw usage('import', `${one.name} has to stay: ${one.hook.why}.`);
    return one;
  });
}

/** Out of the settings and not behind Hookline would be no guard at all. */
function assertSetUp(agent: Agent): void {
  const isIn = scopesOf(agent.setup).some((scope) => {
    const findings = agent.setup.inspect(setupContext(homePaths(), scope));
    return !findings.some(({ code }) => code === 'not-set-up');
  });
  if (isIn) return;
  throw new HooklineError(
    'USAGE',
    `Hookline is not in the settings of ${agent.label}, so it could not run them.`,
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
  const stays = entry === null ? paint.yellow(` stays: ${why}`) : '';
  const odd = warning === null ? '' : `\n  ${paint.yellow('warning')}: ${warning}`;
  return `${paint.bold(name)}  ${agent.id} ${placed.event}${matcher} ${paint.dim(path)}${stays}${odd}`;
}
