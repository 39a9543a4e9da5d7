import type { ToolResult } from '../../model/tools.ts';
import type { AgentHistory } from '../history.ts';
import { listAt, textAt } from '../loose-json.ts';
import { patchChanges } from './patch-changes.ts';
import { readTranscript } from './transcript.ts';

export const history: AgentHistory = {
  changes: (tool) => patchChanges(textAt(tool.input, 'command') ?? ''),
  // Searches are shell commands here.
  found: () => null,
  output,
  readTranscript,
  server: {
    add: (name, command) => ['mcp', 'add', name, '--', ...command],
    remove: (name) => ['mcp', 'remove', name],
  },
};

function output({ nativeName, response, error }: ToolResult): string | null {
  if (typeof response === 'string') {
    return nativeName === 'apply_patch' ? response.replace(/^Exit code: [\s\S]*?\nOutput:\n/, '') : response;
  }
  const texts = listAt(response, 'content').map((part) => textAt(part, 'text'));
  const said = texts.filter((text) => text !== null);
  return said.length > 0 ? said.join('\n') : error;
}
