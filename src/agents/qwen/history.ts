import type { FileChange } from '../../model/changes.ts';
import { isObject } from '../../model/json.ts';
import type { ToolCall, ToolResult } from '../../model/tools.ts';
import {
  type AgentHistory,
  type TokenUsage,
  type TranscriptCall,
  TranscriptDraft,
  type TranscriptReader,
  textChange,
} from '../kit/history.ts';
import { type Json, listAt, numberAt, objectAt, textAt, timeAt } from '../kit/loose-json.ts';
import { exitCodeOf, printedBy, resultText } from './decode.ts';

export const history: AgentHistory = {
  changes,
  search: (tool) => ({ scope: textAt(tool.input, 'path'), results: found(tool) }),
  output,
  readTranscript,
  server: {
    add: (name, command) => ['mcp', 'add', '--scope', 'user', name, ...command],
    remove: (name) => ['mcp', 'remove', '--scope', 'user', name],
  },
};

function changes({ name, files, input }: ToolCall, response: unknown): readonly FileChange[] {
  const path = files[0]?.path;
  if (path === undefined) return [];
  if (name === 'Edit') return [textChange(path, textAt(input, 'old_string'), textAt(input, 'new_string'))];
  return [textChange(path, contentBefore(response), textAt(input, 'content'))];
}

/** Its own sentence says how many. */
function found({ response }: ToolResult): number | null {
  const text = resultText(response) ?? '';
  const count = /^Found (\d+) /.exec(text)?.[1];
  if (count !== undefined) return Number(count);
  return /^No (?:files|matches) found/.test(text) ? 0 : null;
}

function output({ kind, response, error }: ToolResult): string | null {
  const text = resultText(response) ?? error;
  return text !== null && kind === 'shell' ? printedBy(text) : text;
}

/** One record a line (0.24.4); results of tools are records of their own. */
function readTranscript(): TranscriptReader {
  const draft = new TranscriptDraft();
  const open = new Map<string, TranscriptCall>();
  return {
    add: (line) => {
      if (isObject(line)) replay(line, draft, open);
    },
    transcript: () => {
      for (const call of open.values()) draft.addCall(call);
      open.clear();
      return draft.transcript();
    },
  };
}

function replay(record: Json, draft: TranscriptDraft, open: Map<string, TranscriptCall>): void {
  const parts = listAt(objectAt(record, 'message'), 'parts');
  const text = parts
    .map((part) => (isObject(part) && part.thought !== true ? (textAt(part, 'text') ?? '') : ''))
    .join('');
  if (record.type === 'user' && text !== '') draft.startTurn(text);
  if (record.type === 'assistant') {
    draft.addUsage(textAt(record, 'model') ?? 'unknown', tokens(objectAt(record, 'usageMetadata')));
    if (text !== '') draft.setMessage(text);
    for (const call of parts.map((part) => objectAt(part, 'functionCall'))) {
      if (call === null) continue;
      const id = textAt(call, 'id');
      open.set(id ?? `${open.size}`, {
        id,
        nativeName: textAt(call, 'name') ?? '',
        input: objectAt(call, 'args') ?? {},
        startedAt: timeAt(record, 'timestamp'),
        outcome: 'unknown',
        exitCode: null,
      });
    }
  }
  if (record.type === 'tool_result') {
    for (const result of parts.map((part) => objectAt(part, 'functionResponse'))) end(result, draft, open);
  }
}

/** A result ends the call of its id. */
function end(result: Json | null, draft: TranscriptDraft, open: Map<string, TranscriptCall>): void {
  const id = textAt(result, 'id') ?? '';
  const call = open.get(id);
  if (!call) return;
  open.delete(id);
  const response = objectAt(result, 'response');
  const code = call.nativeName === 'run_shell_command' ? exitCodeOf(textAt(response, 'output') ?? '') : null;
  const isFailed = textAt(response, 'error') !== null || (code ?? 0) !== 0;
  draft.addCall({ ...call, outcome: isFailed ? 'failed' : 'ok', exitCode: code });
}

function tokens(used: Json | null): TokenUsage {
  const cacheRead = numberAt(used, 'cachedContentTokenCount');
  return {
    // The client counts what came from its cache as input too.
    input: Math.max(0, numberAt(used, 'promptTokenCount') - cacheRead),
    output: numberAt(used, 'candidatesTokenCount'),
    cacheRead,
    cacheWrite: 0,
    reasoning: numberAt(used, 'thoughtsTokenCount'),
  };
}

/** The file before the call, where the client says so. */
function contentBefore(response: unknown): string | null {
  return textAt(objectAt(response, 'returnDisplay'), 'originalContent');
}
