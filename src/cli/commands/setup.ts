import { applyEdits } from '../../agents/kit/setup-journal.ts';
import { forwarderLabel, installForwarder } from '../../forwarder/install.ts';
import { readConfig, writeSetting } from '../../home/config.ts';
import { homeFolder, homePaths } from '../../home/paths.ts';
import { VERSION } from '../../version.ts';
import { defineCommand } from '../command.ts';
import { confirmed } from '../confirm.ts';
import { editLines } from '../diff.ts';
import { registerHistory } from '../history-server.ts';
import { paint } from '../paint.ts';
import { programName } from '../program.ts';
import { agentNamed, forwarderSource, scopeNamed, setupContext } from '../setup-context.ts';

export default defineCommand({
  name: 'setup',
  summary: 'Put Hookline into an agent’s settings. Shows the exact edit first; `hookline remove` undoes it.',
  words: '<agent>',
  options: {
    scope: {
      type: 'string',
      value: 'user|project',
      description: 'Whose settings to edit; without it, the best place for the agent.',
    },
    events: {
      type: 'string',
      value: 'LIST',
      description: 'The agent’s events to add, or with - before the name to leave out, separated by commas.',
    },
    memory: {
      type: 'boolean',
      description:
        'Also tell new sessions what earlier ones did here (see `hookline memory`); off until asked for.',
    },
    mcp: {
      type: 'boolean',
      description: 'Also let the agent look things up in the history (`hookline mcp`).',
    },
    'dry-run': { type: 'boolean', description: 'Only show the edit.' },
    yes: { type: 'boolean', short: 'y', description: 'Do not ask.' },
  },
  examples: [
    ['hookline setup claude --dry-run', 'look first'],
    ['hookline setup claude --yes', 'for this user, in every project'],
    ['hookline setup claude --scope project', 'for the project in this folder only'],
    ['hookline setup claude --memory --mcp --yes', 'and let it remember'],
  ],
  asScript: true,
  access: ({ events, memory, 'dry-run': dryRun }) => {
    if (dryRun) return null;
    // To leave out events is to take protection away.
    if (events?.split(',').some((event) => event.trim().startsWith('-'))) return 'remove';
    return memory ? 'settings' : null;
  },
  async run({ scope, events, memory, mcp, 'dry-run': dryRun, yes }, [name]) {
    const agent = agentNamed(name, 'setup');
    const paths = homePaths(homeFolder());
    const list = events?.split(',').map((event) => event.trim()) ?? [];
    const context = setupContext(paths, scopeNamed(scope, agent, 'setup'), list);

    const found = await agent.setup.detect(context);
    if (found.installed) console.log(`${agent.label} ${found.version ?? ''} (${found.path})`);
    else
      console.log(
        paint.yellow(`${agent.label} was not found on PATH; its settings are prepared all the same.`),
      );

    const edits = agent.setup.plan(context);
    for (const edit of edits) console.log(editLines(edit).join('\n'));
    if (edits.length === 0) console.log('The settings are as they should be.');
    if (dryRun) return 0;
    if (edits.length > 0 && !(await confirmed('Write this?', yes, 'setup'))) {
      console.log('Nothing was written.');
      return 1;
    }
    const forwarder = installForwarder(paths.root, forwarderSource(readConfig(paths.config)));
    applyEdits(edits, paths.setup);
    const label = forwarderLabel({ kind: forwarder.kind, version: VERSION });
    console.log(`${paint.green('Done.')} The ${label} is at ${forwarder.path}`);
    if (memory) {
      writeSetting(paths.config, ['memory', 'on'], true);
      console.log('New sessions get a summary of what earlier ones did, from the next start of the daemon.');
    }
    if (mcp && (await registerHistory(agent, 'add')) !== 0) return 1;
    console.log(
      `Next: use ${agent.label}, and watch it with ${paint.bold(`${programName()} events --follow`)}.`,
    );
    return 0;
  },
});
