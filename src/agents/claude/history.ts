import type { ChangeLine, FileChange } from '../../model/changes.ts';
import { isObject } from '../../model/json.ts';
import type { ToolCall, ToolResult } from '../../model/tools.ts';
import {
  type AgentHistory,
  type TokenUsage,
  type TranscriptDraft,
  type TranscriptReader,
  textChange,
  transcriptReader,
} from '../kit/history.ts';
import { type Json, listAt, numberAt, objectAt, textAt, timeAt } from '../kit/loose-json.ts';
import { statedCount } from '../kit/stated.ts';

export const history: AgentHistory = {
  changes,
  search: (tool) => ({
    scope: textAt(tool.input, 'path') ?? textAt(tool.input, 'glob'),
    results: found(tool),
  }),
  output,
  readTranscript,
  server: {
    add: (name, command) => ['mcp', 'add', '--scope', 'user', name, '--', ...command],
    remove: (name) => ['mcp', 'remove', '--scope', 'user', name],
  },
};

/** From the patch that the client made where it tells one, else from the arguments. */
function changes({ name, files, input }: ToolCall, response: unknown): readonly FileChange[] {
  const path = files[0]?.path;
  if (path === undefined) return [];
  const hunks = listAt(response, 'structuredPatch');
  if (hunks.length > 0) return [patchChange(path, hunks)];
  if (name === 'Write') {
    // The response has what stood there, or null for a new file; a failed call has neither.
    const original = isObject(response) ? response.originalFile : undefined;
    const before = original === null ? '' : typeof original === 'string' ? original : null;
    return [textChange(path, before, textAt(input, 'content'))];
  }
  if (name === 'NotebookEdit')
    return [textChange(path, textAt(response, 'old_source'), textAt(input, 'new_source'))];
  // MultiEdit, which the client had until 2.1, has a list of them.
  const edits = listAt(input, 'edits');
  return (edits.length > 0 ? edits : [input]).map((edit) =>
    textChange(path, textAt(edit, 'old_string'), textAt(edit, 'new_string')),
  );
}

function patchChange(path: string, hunks: readonly unknown[]): FileChange {
  const lines = hunks.flatMap((hunk): ChangeLine[] => [
    { mark: '@', text: `@@ line ${numberAt(hunk, 'newStart')}` },
    ...listAt(hunk, 'lines')
      .filter((line) => typeof line === 'string')
      .map(patchLine),
  ]);
  const side = (sign: '-' | '+') => lines.flatMap(({ mark, text }) => (mark === sign ? text : [])).join('\n');
  return { path, before: side('-'), after: side('+'), lines };
}

function patchLine(line: string): ChangeLine {
  const [mark] = line;
  // What has no sign is a remark of the client: no newline at the end.
  return mark === '-' || mark === '+' || mark === ' '
    ? { mark, text: line.slice(1) }
    : { mark: '@', text: line };
}

function found({ response }: ToolResult): number | null {
  if (typeof response === 'string') return statedCount(response);
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

/** What the client writes in place of an answer that the user cut short (2.1.325). */
const INTERRUPTED = /^\[Request interrupted by user/;
/** The result of a command that was only started. */
const IN_BACKGROUND = /^Command running in background with ID/;
const EXIT_CODE = /^(?:Error: )?Exit code (\d+)/;

/**
 * One line a block: the blocks of one message share its id, and each line repeats the usage of the whole message, so
 * that usage counts once per id.
 */
function readTranscript(): TranscriptReader {
  return transcriptReader((line, draft) => {
    // A subagent has a transcript of its own; lines of it in the main one are copies.
    if (line.isSidechain === true) return;
    if (line.type === 'user') addUserLine(line, draft);
    else if (line.type === 'assistant') addAssistantLine(line, draft);
    else if (line.type === 'cost-state') draft.costUsd = numberAt(line, 'totalCostUSD');
  });
}

function addUserLine(line: Json, draft: TranscriptDraft): void {
  const content = objectAt(line, 'message')?.content;
  const blocks = Array.isArray(content) ? content : [];
  const text =
    typeof content === 'string' ? content : blocks.map((block) => textAt(block, 'text') ?? '').join('\n');
  if (INTERRUPTED.test(text.trimStart())) {
    draft.interruptTurn();
    return;
  }
  const results = blocks.filter((block) => textAt(block, 'type') === 'tool_result');
  for (const result of results) finishCall(result, draft);
  if (results.length === 0 && line.isMeta !== true && text !== '') draft.startTurn(text);
}

function finishCall(result: unknown, draft: TranscriptDraft): void {
  const call = draft.call(textAt(result, 'tool_use_id'));
  if (!call) return;
  const failed = isObject(result) && result.is_error === true;
  const text = textAt(result, 'content') ?? textAt(listAt(result, 'content')[0], 'text') ?? '';
  if (IN_BACKGROUND.test(text)) return;
  call.outcome = failed ? 'failed' : 'ok';
  if (call.nativeName !== 'Bash' && call.nativeName !== 'PowerShell') return;
  const code = EXIT_CODE.exec(text)?.[1];
  call.exitCode = failed ? (code === undefined ? null : Number(code)) : 0;
}

function addAssistantLine(line: Json, draft: TranscriptDraft): void {
  const message = objectAt(line, 'message');
  const id = textAt(message, 'id');
  const whole = textAt(message, 'content');
  if (whole) draft.setMessage(whole, id);
  for (const block of listAt(message, 'content')) {
    const type = textAt(block, 'type');
    const text = type === 'text' ? textAt(block, 'text') : null;
    if (text) draft.setMessage(text, id);
    if (type === 'tool_use') startCall(block, timeAt(line, 'timestamp'), draft);
  }
  const usage = objectAt(message, 'usage');
  // The last line of a message has its final numbers.
  if (id !== null && usage !== null) draft.addUsage(textAt(message, 'model') ?? 'unknown', tokens(usage), id);
}

function startCall(block: unknown, startedAt: number | null, draft: TranscriptDraft): void {
  const id = textAt(block, 'id');
  if (id === null) return;
  draft.startCall({
    id,
    nativeName: textAt(block, 'name') ?? '',
    input: objectAt(block, 'input') ?? {},
    startedAt,
  });
}

function tokens(usage: Json): TokenUsage {
  return {
    input: numberAt(usage, 'input_tokens'),
    output: numberAt(usage, 'output_tokens'),
    cacheRead: numberAt(usage, 'cache_read_input_tokens'),
    cacheWrite: numberAt(usage, 'cache_creation_input_tokens'),
    reasoning: numberAt(objectAt(usage, 'output_tokens_details'), 'thinking_tokens'),
  };
}
