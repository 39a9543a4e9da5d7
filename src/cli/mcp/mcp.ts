import { recordNote } from '../../client/notes.ts';
import { readObserved } from '../../client/observed.ts';
import { homePaths } from '../../home/paths.ts';
import { agentNamed } from '../agents/context.ts';
import { defineCommand, value } from '../command.ts';
import { registerHistory } from './history-server.ts';

export default defineCommand({
  name: 'mcp',
  summary: 'Serve the history to agents as an MCP server on stdin and stdout.',
  options: {
    add: value('AGENT', "Register the server with this agent, using the agent's own command."),
    remove: value('AGENT', 'Remove the server from this agent.'),
  },
  examples: [
    ['hookline mcp --add <agent>', 'let an agent search the history'],
    ['hookline mcp </dev/null', 'check that it starts'],
  ],
  async run({ add, remove }) {
    if (add !== undefined) return registerHistory(agentNamed(add, 'mcp'), 'add');
    if (remove !== undefined) return registerHistory(agentNamed(remove, 'mcp'), 'remove');
    const { serveHistory } = await import('./server.ts');
    const paths = homePaths();
    await serveHistory({
      read: (read) => readObserved(paths, read),
      note: (note) => recordNote(paths, note),
    });
    return 0;
  },
});
