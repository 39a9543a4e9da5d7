import { AGENTS } from '../../agents/_registry.ts';
import type { Agent } from '../../agents/agent.ts';
import { applyRemoval, removal } from '../../agents/setup/journal.ts';
import type { Scope, SetupContext } from '../../agents/setup/setup.ts';
import { recordRemoval } from '../../client/record-change.ts';
import { type HomePaths, homePaths } from '../../home/paths.ts';
import { agentNamed, scopeNamed, setupContext } from '../agents/context.ts';
import { hookedContexts } from '../agents/hooked.ts';
import { defineCommand, flag, usage, value } from '../command.ts';
import { confirmed } from '../confirm.ts';
import { applyUndo, planUndo } from '../hooks/import-plan.ts';
import { isHistoryBySetup, unregisterHistory } from '../mcp/history-server.ts';
import { editLines } from '../output/diff.ts';
import { paint } from '../output/paint.ts';
import { typedHere } from '../program.ts';

export default defineCommand({
  name: 'remove',
  summary:
    "Remove Hookline's hooks from agents. Restores their settings byte for byte and keeps all other hooks.",
  words: '[agent…]',
  options: {
    all: flag('Remove the hooks from every agent that is set up, in every scope.'),
    scope: value('user|project', 'Settings to edit (default: where `hookline setup` writes).'),
    'dry-run': flag('Preview the changes without writing them.'),
    yes: flag('Skip confirmation.', { short: 'y' }),
  },
  examples: [
    ['hookline remove claude --yes', 'restore its settings'],
    ['hookline remove claude codex', 'two agents'],
    ['hookline remove --all', 'every agent, before you uninstall Hookline'],
  ],
  asScript: true,
  access: ({ 'dry-run': dryRun }) => (dryRun ? null : 'remove'),
  async run({ all, scope, 'dry-run': dryRun = false, yes = false }, names, by) {
    const paths = homePaths();
    const targets = all ? allTargets(paths, names, scope) : namedTargets(paths, names, scope);
    if (targets.length === 0) console.log('No agent is set up here.');
    let code = 0;
    for (const target of targets) {
      const done = await removeFrom(target, { paths, dryRun, yes, by });
      if (done === null) return 1;
      code ||= done;
    }
    return code;
  },
});

interface Target {
  readonly agent: Agent;
  readonly context: SetupContext;
}

function allTargets(
  paths: HomePaths,
  names: readonly string[],
  scope: string | undefined,
): readonly Target[] {
  if (names.length > 0) throw usage('remove', 'Name agents or pass --all, not both.');
  if (scope !== undefined) throw usage('remove', '--all covers every scope. Leave out --scope.');
  return [...AGENTS.values()].flatMap((agent) =>
    hookedContexts(agent, (one) => setupContext(paths, one)).map((context) => ({ agent, context })),
  );
}

function namedTargets(
  paths: HomePaths,
  names: readonly string[],
  scope: string | undefined,
): readonly Target[] {
  const agents =
    names.length === 0 ? [agentNamed(undefined, 'remove')] : names.map((name) => agentNamed(name, 'remove'));
  return [...new Set(agents)].map((agent) => ({
    agent,
    context: setupContext(paths, scopeNamed(scope, agent, 'remove')),
  }));
}

interface Removing {
  readonly paths: HomePaths;
  readonly dryRun: boolean;
  readonly yes: boolean;
  /** Who was let through. */
  readonly by: string;
}

/** The exit code; null if the person at the terminal said no. */
async function removeFrom(
  { agent, context }: Target,
  { paths, dryRun, yes, by }: Removing,
): Promise<number | null> {
  const imported = planUndo([agent], context, paths);
  if (imported.names.length > 0) {
    console.log(`These hooks return to the settings of ${agent.label} first: ${imported.names.join(', ')}`);
    for (const edit of imported.edits) console.log(editLines(edit).join('\n'));
    if (!dryRun) {
      if (!(await confirmed('Restore these hooks?', yes, 'remove'))) return null;
      applyUndo(imported, paths);
    }
  }
  const planned = () => removal(agent.setup.planRemoval(context), paths.setup);
  const contextOf = (one: Scope) => setupContext(paths, one);
  const edits = planned();
  // While another scope has Hookline, the agent may go on to look things up.
  const isLast = hookedContexts(agent, contextOf).every((one) => one.scope === context.scope);
  const takesServer = isLast && isHistoryBySetup(agent);
  if (edits.length === 0 && !takesServer) {
    tellNothing(agent, context);
    return 0;
  }
  for (const edit of edits) console.log(editLines(edit).join('\n'));
  if (takesServer) console.log(`The command of ${agent.label} also removes the MCP server hookline.`);
  if (dryRun) return 0;
  if (!(await confirmed(`Remove Hookline from ${agent.label}?`, yes, 'remove'))) {
    console.log('No changes made.');
    return null;
  }
  // First: that command may write the same file, which is then what setup left again.
  const code = takesServer ? await unregisterHistory(agent) : 0;
  applyRemoval(planned(), paths.setup);
  await recordRemoval(paths, by, agent);
  console.log(`${paint.green('Done.')} Hookline is removed from ${agent.label}.`);
  for (const { scope: other } of hookedContexts(agent, contextOf))
    console.log(
      typedHere(
        `Hookline is also set up in another scope. Run \`hookline remove ${agent.id} --scope ${other}\`.`,
      ),
    );
  return code;
}

function tellNothing({ label, setup: { wrapper } }: Agent, context: SetupContext): void {
  console.log(`${label} is not set up.`);
  if (wrapper && wrapper.hooksPath(context) !== null)
    console.log(`Hookline is installed as ${wrapper.noun}. Remove it with ${wrapper.uninstall}.`);
}
