import { readObserved } from '../../client/observed.ts';
import { homeFolder, homePaths } from '../../home/paths.ts';
import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'mcp',
  summary: 'Serve the history to agents: an MCP server on stdin and stdout.',
  options: {},
  examples: [
    ['<agent> mcp add hookline -- hookline mcp', 'register it with an agent; most have this command'],
    ['hookline mcp </dev/null', 'see that it starts'],
  ],
  async run() {
    const { serveHistory } = await import('../../mcp/server.ts');
    const paths = homePaths(homeFolder());
    await serveHistory((read) => readObserved(paths, read));
    return 0;
  },
});
