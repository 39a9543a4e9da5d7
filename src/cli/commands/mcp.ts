import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { readObserved } from '../../client/observed.ts';
import { homeFolder, homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { defineCommand } from '../command.ts';
import { agentNamed, scopeNamed, setupContext } from '../setup-context.ts';

export default defineCommand({
  name: 'mcp',
  summary: 'Serve the history to agents: an MCP server on stdin and stdout.',
  options: {
    add: {
      type: 'string',
      value: 'AGENT',
      description: 'Register it with this agent, by the agent’s own command.',
    },
    remove: { type: 'string', value: 'AGENT', description: 'Take it out again.' },
  },
  examples: [
    ['hookline mcp --add <agent>', 'let an agent look up what happened before'],
    ['hookline mcp </dev/null', 'see that it starts'],
  ],
  async run({ add, remove }) {
    if (add !== undefined) return register(add, (server) => server.add('hookline', ownCommand()));
    if (remove !== undefined) return register(remove, (server) => server.remove('hookline'));
    const { serveHistory } = await import('../../mcp/server.ts');
    const paths = homePaths(homeFolder());
    await serveHistory((read) => readObserved(paths, read));
    return 0;
  },
});

type Server = NonNullable<ReturnType<typeof agentNamed>['history']>['server'];

async function register(name: string, words: (server: Server) => readonly string[]): Promise<number> {
  const agent = agentNamed(name, 'mcp');
  const context = setupContext(homePaths(homeFolder()), scopeNamed(undefined, agent, 'mcp'));
  const { path } = await agent.setup.detect(context);
  if (path === null || agent.history === undefined) {
    throw new HooklineError('AGENT_MISSING', `${agent.label} was not found on PATH.`, {
      hint: 'Install it, or add `hookline mcp` to its servers by hand.',
    });
  }
  const { status } = spawnSync(path, words(agent.history.server), {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status === 0 ? 0 : 1;
}

/** What starts this very program, with the home it has now. */
function ownCommand(): readonly string[] {
  const program = [process.execPath, resolve(process.argv[1] ?? 'hookline'), 'mcp'];
  const { HOOKLINE_HOME } = process.env;
  return HOOKLINE_HOME ? ['env', `HOOKLINE_HOME=${resolve(HOOKLINE_HOME)}`, ...program] : program;
}
