import { looksThingsUp } from '../scenarios/history-server.ts';
import { claude } from './client.ts';

looksThingsUp(
  {
    ...claude,
    // A project's servers wait for a person's consent; those of the command line do not.
    turn: (prompt, options, model) => [...claude.turn(prompt, options, model), '--mcp-config', '.mcp.json'],
  },
  {
    settings: (server) => ({
      file: '.mcp.json',
      text: JSON.stringify({ mcpServers: { hookline: { type: 'stdio', ...server } } }),
    }),
    ask: (tool, input) => ({ tool: `mcp__hookline__${tool}`, input }),
  },
);
