import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { VERSION } from '../../version.ts';
import { HISTORY_TOOLS, type HistoryAccess } from './tools.ts';

/** Serves the history on stdin and stdout until the client disconnects. */
export function serveHistory(history: HistoryAccess): Promise<void> {
  return new Promise((resolve) => {
    serveStdio(() => historyServer(history));
    process.stdin.on('end', resolve);
    process.stdin.on('close', resolve);
  });
}

/** A server with all tools. The only thing that one of them writes is a note. */
function historyServer(history: HistoryAccess): McpServer {
  const server = new McpServer({ name: 'hookline', version: VERSION }, { instructions: INSTRUCTIONS });
  for (const tool of HISTORY_TOOLS) {
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: tool.input,
        annotations: { readOnlyHint: !tool.writes, destructiveHint: false, openWorldHint: false },
      },
      async (given: unknown) => {
        const text = await tool.answer(given, history);
        return { content: [{ type: 'text' as const, text }] };
      },
    );
  }
  return server;
}

const INSTRUCTIONS =
  'History of coding agents on this machine, recorded by Hookline: prompts, commands, file changes, errors and decisions. Search here before you repeat work or guess why something was done. Record what was decided with `note`.';
