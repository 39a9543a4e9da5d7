import type { ToolResult } from '../../model/tools.ts';
import type { AgentHistory, FileChange } from '../history.ts';
import { listAt, objectAt, textAt } from '../loose-json.ts';
import { printedBy } from './outcome.ts';
import { readTranscript } from './transcript.ts';

export const history: AgentHistory = {
  changes,
  found,
  output,
  readTranscript,
  server: {
    add: (name, command) => ['mcp', 'add', '--scope', 'user', name, ...command],
    remove: (name) => ['mcp', 'remove', '--scope', 'user', name],
  },
};

function changes(tool: ToolResult): readonly FileChange[] {
  const path = tool.files[0]?.path;
  if (path === undefined) return [];
  const { input } = tool;
  if (tool.name === 'Edit') {
    return [{ path, before: textAt(input, 'old_string'), after: textAt(input, 'new_string') }];
  }
  const before = textAt(objectAt(tool.response, 'returnDisplay'), 'originalContent');
  return [{ path, before, after: textAt(input, 'content') }];
}

/** Its own sentence says how many; the display may be shortened. */
function found({ response }: ToolResult): number | null {
  const text = textAt(response, 'llmContent') ?? '';
  const told = /^Found (\d+) /.exec(text)?.[1];
  if (told !== undefined) return Number(told);
  if (/^No (?:files|matches) found/.test(text)) return 0;
  const listed = listAt(objectAt(response, 'returnDisplay'), 'files');
  return listed.length > 0 ? listed.length : null;
}

function output({ kind, response, error }: ToolResult): string | null {
  const content = textAt(response, 'llmContent');
  if (content !== null) return kind === 'shell' ? printedBy(content) : content;
  const parts = listAt(response, 'llmContent').map((part) => textAt(part, 'text'));
  const texts = parts.filter((text) => text !== null);
  return texts.length > 0 ? texts.join('\n') : error;
}
