// Searches as an agent does: through the MCP server, each answer from question to text.
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { root } from '../processes/scratch-home.js';

const QUERIES = [
  'payment',
  'auth bug',
  'deploy failed',
  '"retry queue"',
  'cart total',
  'module17',
  'invoice*',
  'timeout',
];

/** @param {{ env: Record<string, string> }} home */
export async function openSearch({ env }) {
  const client = new Client({ name: 'bench', version: '1' });
  const args = [join(root, 'bin/hookline.js'), 'mcp'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  return {
    /** Asks all questions. Resolves to how many ms one took. */
    async search() {
      const start = performance.now();
      for (const query of QUERIES) {
        const { content } = await client.callTool({ name: 'search', arguments: { query } });
        const text = content?.[0]?.text ?? '';
        if (!text.includes('"session"')) throw new Error(`nothing found for ${query}: ${text.slice(0, 200)}`);
      }
      return (performance.now() - start) / QUERIES.length;
    },
    close: () => client.close(),
  };
}
