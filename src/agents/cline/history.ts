import type { FileChange } from '../../model/changes.ts';
import { isObject } from '../../model/json.ts';
import type { ToolCall } from '../../model/tools.ts';
import {
  type AgentHistory,
  NO_SEARCH,
  type TokenUsage,
  type TranscriptDraft,
  textChange,
  transcriptReader,
} from '../kit/history.ts';
import { type Json, listAt, numberAt, objectAt, textAt } from '../kit/loose-json.ts';
import { patchChanges } from '../kit/patch.ts';
import { promptOf, resultText } from './decode.ts';

export const history: AgentHistory = {
  changes,
  search: () => NO_SEARCH,
  output: ({ response, error }) => resultText(response) || error,
  readTranscript: () => transcriptReader(replay),
  document: (document) => listAt(document, 'messages'),
};

function changes({ nativeName, files, input }: ToolCall): readonly FileChange[] {
  if (nativeName === 'apply_patch') return patchChanges(textAt(input, 'input') ?? '');
  const path = files[0]?.path;
  if (path === undefined) return [];
  return [textChange(path, textAt(input, 'old_text'), textAt(input, 'new_text'))];
}

/** One message of the document at a time (3.0.65). */
function replay(message: Json, draft: TranscriptDraft): void {
  const parts = listAt(message, 'content');
  const said = parts
    .map((part) => (textAt(part, 'type') === 'text' ? (textAt(part, 'text') ?? '') : ''))
    .join('');
  if (message.role === 'user') {
    for (const part of parts) readResult(part, draft);
    // What hooks add is a message of its own.
    if (said !== '' && !said.startsWith('<hook_context')) draft.startTurn(promptOf(said));
    return;
  }
  if (message.role !== 'assistant') return;
  const model = textAt(objectAt(message, 'modelInfo'), 'id') ?? 'unknown';
  draft.addUsage(model, tokens(objectAt(message, 'metrics')));
  if (said !== '') draft.setMessage(said);
  for (const part of parts) readCall(part, draft, numberAt(message, 'ts') || null);
}

function readCall(part: unknown, draft: TranscriptDraft, startedAt: number | null): void {
  if (textAt(part, 'type') !== 'tool_use') return;
  draft.startCall({
    id: textAt(part, 'id'),
    nativeName: textAt(part, 'name') ?? '',
    input: objectAt(part, 'input') ?? {},
    startedAt,
  });
}

function readResult(part: unknown, draft: TranscriptDraft): void {
  if (textAt(part, 'type') !== 'tool_result') return;
  const call = draft.call(textAt(part, 'tool_use_id'));
  if (!call) return;
  const results = listAt(part, 'content');
  const failed = results.find((result) => isObject(result) && result.success === false);
  const isError = isObject(part) && part.is_error === true;
  call.outcome = failed || isError ? 'failed' : 'ok';
  if (call.nativeName !== 'run_commands' || isError) return;
  const [, code] = /exited with code (\d+)/.exec(textAt(failed, 'error') ?? '') ?? [];
  call.exitCode = failed ? (code === undefined ? null : Number(code)) : 0;
}

function tokens(used: Json | null): TokenUsage {
  return {
    input: numberAt(used, 'inputTokens'),
    output: numberAt(used, 'outputTokens'),
    cacheRead: numberAt(used, 'cacheReadTokens'),
    cacheWrite: numberAt(used, 'cacheWriteTokens'),
    reasoning: numberAt(used, 'reasoningTokenCount'),
  };
}
