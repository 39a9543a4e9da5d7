import type { ToolResult } from '../../model/tools.ts';
import type { AgentHistory, FileChange } from '../history.ts';
import { isObject, listAt, numberAt, textAt } from '../loose-json.ts';
import { readTranscript } from './transcript.ts';

export const history: AgentHistory = {
  changes,
  found,
  output,
  readTranscript,
  server: {
    add: (name, command) => ['mcp', 'add', '--scope', 'user', name, '--', ...command],
    remove: (name) => ['mcp', 'remove', '--scope', 'user', name],
  },
};

/** From the patch that the client made where it tells one, else from the arguments. */
function changes(tool: ToolResult): readonly FileChange[] {
  const path = tool.files[0]?.path;
  if (path === undefined) return [];
  const { input, response } = tool;
  const hunks = listAt(response, 'structuredPatch');
  if (hunks.length > 0) return [{ path, before: side(hunks, '-'), after: side(hunks, '+') }];
  if (tool.name === 'Write') {
    // The response has what stood there, or null for a new file; a failed call has neither.
    const original = isObject(response) ? response.originalFile : undefined;
    const before = original === null ? '' : typeof original === 'string' ? original : null;
    return [{ path, before, after: textAt(input, 'content') }];
  }
  if (tool.name === 'NotebookEdit') {
    return [{ path, before: textAt(response, 'old_source'), after: textAt(input, 'new_source') }];
  }
  return [{ path, before: textAt(input, 'old_string'), after: textAt(input, 'new_string') }];
}

function side(hunks: readonly unknown[], sign: '-' | '+'): string {
  const lines = hunks.flatMap((hunk) => listAt(hunk, 'lines')).filter((line) => typeof line === 'string');
  return lines
    .filter((line) => line.startsWith(sign))
    .map((line) => line.slice(1))
    .join('\n');
}

function found({ response }: ToolResult): number | null {
  if (!isObject(response)) return null;
  if (typeof response.numMatches === 'number') return response.numMatches;
  if (typeof response.numLines === 'number' && response.mode === 'content') return response.numLines;
  return 'numFiles' in response ? numberAt(response, 'numFiles') : null;
}

function output({ response, error }: ToolResult): string | null {
  if (error !== null) return error;
  if (typeof response === 'string') return response;
  const printed = [textAt(response, 'stdout'), textAt(response, 'stderr')].filter(Boolean);
  if (printed.length > 0) return printed.join('\n');
  const blocks = Array.isArray(response) ? response : listAt(response, 'content');
  const texts = blocks.map((block) => textAt(block, 'text')).filter((text) => text !== null);
  if (texts.length > 0) return texts.join('\n');
  const answers = isObject(response) && isObject(response.answers) ? Object.values(response.answers) : [];
  return answers.length > 0 ? answers.join(', ') : null;
}
