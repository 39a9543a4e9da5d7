import type { FileChange } from '../../model/changes.ts';
import type { ToolCall, ToolResult } from '../../model/tools.ts';
import {
  type AgentHistory,
  type TokenUsage,
  type TranscriptDraft,
  textChange,
  transcriptReader,
} from '../kit/history.ts';
import { type Json, listAt, numberAt, objectAt, textAt, timeAt } from '../kit/loose-json.ts';
import { patchChanges } from '../kit/patch.ts';
import { statedCount } from '../kit/stated.ts';
import { NAMES, PATCH, printedBy } from './decode.ts';

export const history: AgentHistory = {
  changes,
  search: ({ input, response }) => ({ scope: scopeOf(input), results: found(resultText(response)) }),
  output,
  readTranscript: () => transcriptReader(replay),
  server: {
    add: (name, [command = '', ...args]) => ['mcp', 'add', name, '--', command, ...args],
    remove: (name) => ['mcp', 'remove', name],
  },
};

function changes({ name, files, input }: ToolCall): readonly FileChange[] {
  const patch = textAt(input, PATCH);
  if (patch !== null) return patchChanges(patch);
  const path = files[0]?.path;
  if (path === undefined) return [];
  if (name === 'Edit') return [textChange(path, textAt(input, 'old_str'), textAt(input, 'new_str'))];
  return [textChange(path, null, textAt(input, 'file_text'))];
}

/** One path or several (1.0.102). */
function scopeOf(input: Json): string | null {
  const paths = listAt(input, 'paths').filter((one) => typeof one === 'string');
  return textAt(input, 'path') ?? textAt(input, 'paths') ?? (paths.length > 0 ? paths.join(', ') : null);
}

function found(text: string | null): number | null {
  if (text === null) return null;
  return /^No (?:files|matches)\b/.test(text) ? 0 : statedCount(text);
}

/** What the model reads of a result. */
export function resultText(response: unknown): string | null {
  return typeof response === 'string' ? response : textAt(response, 'text_result_for_llm');
}

function output({ kind, response, error }: ToolResult): string | null {
  const text = resultText(response) ?? error;
  return text !== null && kind === 'shell' ? printedBy(text) : text;
}

/** One record a line (1.0.102); what subagents do is in the file of their parent. */
function replay(record: Json, draft: TranscriptDraft): void {
  const data = objectAt(record, 'data');
  const isInner = textAt(record, 'agentId') !== null;
  switch (record.type) {
    case 'user.message':
      if (!isInner) draft.startTurn(textAt(data, 'content') ?? '');
      break;
    case 'assistant.message': {
      const text = textAt(data, 'content') ?? '';
      if (!isInner && text !== '') draft.setMessage(text);
      break;
    }
    case 'tool.execution_start':
      begin(record, data, draft);
      break;
    case 'tool.execution_complete':
      end(data, draft);
      break;
    case 'session.usage_record':
      count(objectAt(data, 'usage'), draft);
      break;
    case 'abort':
      draft.interruptTurn();
      break;
  }
}

/** By the name that hooks are given. */
function begin(record: Json, data: Json | null, draft: TranscriptDraft): void {
  const patch = textAt(data, 'arguments');
  draft.startCall({
    id: textAt(data, 'toolCallId'),
    nativeName: NAMES.native(NAMES.canonical(textAt(data, 'toolName') ?? '')),
    input: patch === null ? (objectAt(data, 'arguments') ?? {}) : { [PATCH]: patch },
    startedAt: timeAt(record, 'timestamp'),
  });
}

function end(data: Json | null, draft: TranscriptDraft): void {
  const call = draft.call(textAt(data, 'toolCallId'));
  if (!call) return;
  const shell = objectAt(data, 'shellExecution');
  call.exitCode = shell && typeof shell.exitCode === 'number' ? shell.exitCode : null;
  call.outcome = data?.success === true && (call.exitCode ?? 0) === 0 ? 'ok' : 'failed';
}

function count(used: Json | null, draft: TranscriptDraft): void {
  const cacheRead = numberAt(used, 'cacheReadTokens');
  const cacheWrite = numberAt(used, 'cacheWriteTokens');
  const tokens: TokenUsage = {
    // The client counts what came from a cache, and went into it, as input too.
    input: Math.max(0, numberAt(used, 'inputTokens') - cacheRead - cacheWrite),
    output: numberAt(used, 'outputTokens'),
    cacheRead,
    cacheWrite,
    reasoning: numberAt(used, 'reasoningTokens'),
  };
  draft.addUsage(textAt(used, 'model') ?? 'unknown', tokens);
}
