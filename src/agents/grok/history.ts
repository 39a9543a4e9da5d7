import type { FileChange } from '../../model/changes.ts';
import type { ToolCall, ToolResult } from '../../model/tools.ts';
import { type AgentHistory, type TranscriptDraft, textChange, transcriptReader } from '../kit/history.ts';
import { type Json, numberAt, objectAt, textAt } from '../kit/loose-json.ts';
import { editIn, exitCodeIn } from './decode.ts';

export const history: AgentHistory = {
  changes,
  search: ({ input, response }) => ({
    scope: textAt(input, 'path') ?? textAt(input, 'target_directory'),
    results: textAt(response, 'type') === 'GrepSearch' ? numberAt(response, 'match_count') : null,
  }),
  output,
  readTranscript: () => transcriptReader(replay),
  asksAboutPrompts: true,
};

function changes({ name, files, input }: ToolCall): readonly FileChange[] {
  const path = files[0]?.path;
  if (path === undefined) return [];
  if (name === 'Edit') return [textChange(path, textAt(input, 'old_string'), textAt(input, 'new_string'))];
  return [textChange(path, null, textAt(input, 'content'))];
}

/** Each tool has a result of its own shape (1.0.41). The one of a command begins with a line about its exit code. */
function output({ response, error }: Pick<ToolResult, 'response' | 'error'>): string | null {
  const prompt = textAt(response, 'output_for_prompt');
  if (prompt !== null) return prompt.replace(/^exit: -?\d+\n/, '');
  return (
    textAt(objectAt(response, 'FileContent'), 'raw_output') ??
    textAt(objectAt(response, 'Content'), 'content') ??
    textAt(editIn(response), 'tool_output_for_prompt') ??
    textAt(objectAt(response, 'output'), 'OkayOutput') ??
    textAt(response, 'output') ??
    error
  );
}

/** One notification a line, as an editor would get them (1.0.41). */
function replay(record: Json, draft: TranscriptDraft): void {
  const params = objectAt(record, 'params');
  const update = objectAt(params, 'update') ?? {};
  const at = numberAt(objectAt(params, '_meta'), 'agentTimestampMs') || null;
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
      draft.startTurn(textAt(update.content, 'text') ?? '', at);
      break;
    case 'agent_message_chunk':
      draft.setMessage(textAt(update.content, 'text') ?? '');
      break;
    case 'tool_call':
      draft.startCall({
        id: textAt(update, 'toolCallId'),
        nativeName: textAt(update, 'title') ?? '',
        input: objectAt(update, 'rawInput') ?? {},
        startedAt: at,
      });
      break;
    case 'tool_call_update':
      end(update, draft);
      break;
    case 'turn_completed':
      countTokens(update, draft);
      break;
  }
}

function end(update: Json, draft: TranscriptDraft): void {
  const call = draft.call(textAt(update, 'toolCallId'));
  const status = textAt(update, 'status');
  if (call === undefined || (status !== 'completed' && status !== 'failed')) return;
  const code = exitCodeIn(update.rawOutput);
  call.exitCode = code;
  call.outcome = status === 'failed' || (code !== null && code !== 0) ? 'failed' : 'ok';
}

function countTokens(update: Json, draft: TranscriptDraft): void {
  for (const [model, used] of Object.entries(objectAt(objectAt(update, 'usage'), 'modelUsage') ?? {}))
    draft.addUsage(model, {
      input: numberAt(used, 'inputTokens'),
      output: numberAt(used, 'outputTokens'),
      cacheRead: numberAt(used, 'cachedReadTokens'),
      cacheWrite: numberAt(used, 'cacheCreationTokens'),
      reasoning: numberAt(used, 'reasoningTokens'),
    });
  if (textAt(update, 'stop_reason') === 'cancelled') draft.interruptTurn();
}
