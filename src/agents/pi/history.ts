import type { FileChange } from '../../model/changes.ts';
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
import { resultText } from './decode.ts';

export const history: AgentHistory = {
  changes,
  search: (tool) => ({ scope: textAt(tool.input, 'path'), results: found(tool) }),
  output: ({ response, error }) =>
    textAt(objectAt(response, 'structuredContent'), 'output') ?? (resultText(response) || error),
  readTranscript,
  server: {
    // Offered to the model itself: by default only scripts of its `codemode` can call a server's tools (1.5.0).
    add: (name, command) => ['mcp', 'add', name, '--exposure', 'direct', '--', ...command],
    remove: (name) => ['mcp', 'remove', name],
  },
};

function changes({ name, files, input }: ToolCall): readonly FileChange[] {
  const path = files[0]?.path;
  if (path === undefined) return [];
  if (name !== 'Edit') return [textChange(path, null, textAt(input, 'content'))];
  return listAt(input, 'edits').map((edit) =>
    textChange(path, textAt(edit, 'oldText'), textAt(edit, 'newText')),
  );
}

/** One result a line, and notes in brackets after an empty one (1.5.0). */
function found({ response }: ToolResult): number | null {
  const [results = ''] = resultText(response).split('\n\n[');
  if (/^No (?:files|matches) found/.test(results)) return 0;
  return results === '' ? null : results.split('\n').length;
}

/**
 * One entry a line (1.5.0). Entries are a tree, of which the model sees one branch; in the order of the file they are what
 * happened. A session that was forked begins with the entries of another, which are older than itself.
 */
function readTranscript(): TranscriptReader {
  let begin = 0;
  return transcriptReader((line, draft) => {
    if (line.type === 'session') begin = 'parentSession' in line ? (timeAt(line, 'timestamp') ?? 0) : 0;
    else if ((timeAt(line, 'timestamp') ?? begin) >= begin) replay(line, draft);
  });
}

function replay(entry: Json, draft: TranscriptDraft): void {
  // The summary of a compaction costs tokens too, and so does what keeps a cache warm.
  const usage = objectAt(entry, 'usage');
  if (usage) draft.addUsage(textAt(entry, 'model') ?? 'unknown', tokens(usage));
  const message = objectAt(entry, 'message');
  if (entry.type !== 'message' || message === null) return;
  switch (message.role) {
    case 'user':
      draft.startTurn(textOf(message));
      break;
    case 'assistant':
      readAnswer(message, draft, timeAt(entry, 'timestamp'));
      break;
    case 'toolResult':
      readResult(message, draft);
      break;
  }
}

function readAnswer(message: Json, draft: TranscriptDraft, startedAt: number | null): void {
  draft.addUsage(textAt(message, 'model') ?? 'unknown', tokens(objectAt(message, 'usage')));
  const said = textOf(message);
  if (said !== '') draft.setMessage(said);
  if (message.stopReason === 'aborted') draft.interruptTurn();
  for (const part of listAt(message, 'content')) {
    if (!isObject(part) || part.type !== 'toolCall') continue;
    draft.startCall({
      id: textAt(part, 'id'),
      nativeName: textAt(part, 'name') ?? '',
      input: objectAt(part, 'arguments') ?? {},
      startedAt,
    });
  }
}

/** It has the exit code of a command only in its text. */
function readResult(message: Json, draft: TranscriptDraft): void {
  const call = draft.call(textAt(message, 'toolCallId'));
  if (!call) return;
  const failed = message.isError === true;
  call.outcome = failed ? 'failed' : 'ok';
  if (call.nativeName !== 'bash' && call.nativeName !== 'powershell') return;
  const [, code] = /\nCommand exited with code (\d+)$/.exec(resultText(message)) ?? [];
  call.exitCode = failed ? (code === undefined ? null : Number(code)) : 0;
}

function textOf(message: Json): string {
  const { content } = message;
  if (typeof content === 'string') return content;
  const parts = listAt(message, 'content').filter((part) => isObject(part) && part.type === 'text');
  return parts.map((part) => textAt(part, 'text') ?? '').join('');
}

function tokens(used: Json | null): TokenUsage {
  return {
    input: numberAt(used, 'input'),
    output: numberAt(used, 'output'),
    cacheRead: numberAt(used, 'cacheRead'),
    cacheWrite: numberAt(used, 'cacheWrite'),
    reasoning: numberAt(used, 'reasoning'),
  };
}
