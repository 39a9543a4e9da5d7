import type { FileChange } from '../../model/changes.ts';
import { isObject } from '../../model/json.ts';
import type { ToolCall } from '../../model/tools.ts';
import { shellWord } from '../../platform/shell-words.ts';
import { type AgentHistory, type TranscriptDraft, textChange, transcriptReader } from '../kit/history.ts';
import { type Json, listAt, numberAt, objectAt, textAt, timeAt } from '../kit/loose-json.ts';
import { patchChanges } from '../kit/patch.ts';
import { statedCount } from '../kit/stated.ts';
import { exitCodeIn, patchIn, printedBy } from './decode.ts';

export const history: AgentHistory = {
  changes,
  search: ({ input, response }) => ({
    scope: textAt(input, 'path') ?? textAt(input, 'folder'),
    results: typeof response === 'string' ? statedCount(response) : null,
  }),
  output: ({ kind, response, error }) => {
    if (typeof response !== 'string') return error;
    return kind === 'shell' ? printedBy(response) : response;
  },
  readTranscript: () => transcriptReader(replay),
  totals: {
    path: (transcript) => transcript.replace(/\.jsonl$/, '.settings.json'),
    read: (document) => {
      const used = objectAt(document, 'tokenUsage');
      return {
        [textAt(document, 'model') ?? 'unknown']: {
          input: numberAt(used, 'inputTokens'),
          output: numberAt(used, 'outputTokens'),
          cacheRead: numberAt(used, 'cacheReadTokens'),
          cacheWrite: numberAt(used, 'cacheCreationTokens'),
          reasoning: numberAt(used, 'thinkingTokens'),
        },
      };
    },
  },
  asksAboutPrompts: true,
  failuresUnreported: true,
  server: {
    // It takes the command apart by itself, with quotes as a shell has them (0.225.2).
    add: (name, command) => ['mcp', 'add', name, command.map(shellWord).join(' ')],
    remove: (name) => ['mcp', 'remove', name],
  },
};

function changes(tool: ToolCall): readonly FileChange[] {
  const patch = patchIn(tool);
  if (patch !== null) return patchChanges(patch);
  const { name, files, input } = tool;
  const path = files[0]?.path;
  if (path === undefined) return [];
  if (name === 'Edit') return [textChange(path, textAt(input, 'old_str'), textAt(input, 'new_str'))];
  return [textChange(path, null, textAt(input, 'content'))];
}

/** One record a line (0.225.2); results of tools are in messages of the user. */
function replay(record: Json, draft: TranscriptDraft): void {
  if (record.type === 'message') readMessage(record, draft);
  if (record.type === 'agent_turn_outcome' && /interrupt|cancel|abort/.test(textAt(record, 'reason') ?? ''))
    draft.interruptTurn();
}

function readMessage(record: Json, draft: TranscriptDraft): void {
  const message = objectAt(record, 'message');
  // Notes of the client's own, for the model or the user alone, and what hooks said.
  if (textAt(message, 'visibility') !== null) return;
  const parts = listAt(message, 'content').filter(isObject);
  const text = parts.map((part) => (part.type === 'text' ? (textAt(part, 'text') ?? '') : '')).join('');
  const at = timeAt(record, 'timestamp');
  if (textAt(message, 'role') === 'user') {
    if (text !== '') draft.startTurn(text, at);
    for (const part of parts) if (part.type === 'tool_result') end(part, draft);
    return;
  }
  if (text !== '') draft.setMessage(text);
  for (const part of parts) {
    if (part.type !== 'tool_use') continue;
    draft.startCall({
      id: textAt(part, 'id'),
      nativeName: textAt(part, 'name') ?? '',
      input: objectAt(part, 'input') ?? {},
      startedAt: at,
    });
  }
}

function end(result: Json, draft: TranscriptDraft): void {
  const call = draft.call(textAt(result, 'tool_use_id'));
  if (call === undefined) return;
  call.outcome = result.is_error === true ? 'failed' : 'ok';
  if (call.outcome === 'failed') call.output = textAt(result, 'content') ?? '';
  if (call.nativeName === 'Execute') call.exitCode = exitCodeIn(result.content);
}
