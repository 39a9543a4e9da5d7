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
import { statedCount } from '../kit/stated.ts';
import { exitCodeOf, printedBy } from './decode.ts';
import { typedPrompt } from './typed-prompt.ts';

export const history: AgentHistory = {
  changes,
  search: (tool) => ({
    scope: textAt(tool.input, 'dir_path') ?? textAt(tool.input, 'path'),
    results: found(tool),
  }),
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
  const before = textAt(objectAt(response, 'returnDisplay'), 'originalContent');
  return [textChange(path, before, textAt(input, 'content'))];
}

/** Its own sentence says how many; the display may be shortened. */
function found({ response }: ToolResult): number | null {
  if (typeof response === 'string') return statedCount(response);
  const text = textAt(response, 'llmContent') ?? '';
  const count = /^Found (\d+) /.exec(text)?.[1];
  if (count !== undefined) return Number(count);
  if (/^No (?:files|matches) found/.test(text)) return 0;
  const listed = listAt(objectAt(response, 'returnDisplay'), 'files');
  return listed.length > 0 ? listed.length : null;
}

function output({ kind, response, error }: ToolResult): string | null {
  const content = typeof response === 'string' ? response : textAt(response, 'llmContent');
  if (content !== null) return kind === 'shell' ? printedBy(content) : content;
  const parts = listAt(response, 'llmContent').map((part) => textAt(part, 'text'));
  const texts = parts.filter((text) => text !== null);
  return texts.length > 0 ? texts.join('\n') : error;
}

/** A log to replay: a record with a known id replaces the old one, and there are patches, checkpoints and rewinds. */
function readTranscript(): TranscriptReader {
  let messages = new Map<string, Json>();

  function add(record: Json): void {
    const patch = objectAt(record, '$set');
    if (patch !== null) {
      if (!Array.isArray(patch.messages)) return;
      messages = new Map();
      for (const message of patch.messages) if (isObject(message)) add(message);
      return;
    }
    const rewind = textAt(record, '$rewindTo');
    if (rewind !== null) {
      const kept = [...messages];
      const at = kept.findIndex(([id]) => id === rewind);
      messages = new Map(at < 0 ? [] : kept.slice(0, at));
      return;
    }
    const id = textAt(record, 'id');
    if (id !== null && textAt(record, 'type') !== null) messages.set(id, record);
  }

  return {
    add: (line) => {
      if (isObject(line)) add(line);
    },
    transcript: () => {
      const draft = new TranscriptDraft();
      for (const message of messages.values()) replay(message, draft);
      return draft.transcript();
    },
  };
}

function replay(message: Json, draft: TranscriptDraft): void {
  const text = textOf(message.content);
  if (message.type === 'user') {
    // Results of tools, and what the client says about itself, are messages of the user too (0.61.0).
    const prompt = typedPrompt(text);
    if (prompt !== '' && !prompt.startsWith('<session_context>')) draft.startTurn(prompt);
  } else if (message.type === 'gemini') {
    draft.addUsage(textAt(message, 'model') ?? 'unknown', tokens(objectAt(message, 'tokens')));
    if (text !== '') draft.setMessage(text);
    for (const call of listAt(message, 'toolCalls')) {
      draft.addCall(callOf(call));
      if (textAt(call, 'status') === 'cancelled') draft.interruptTurn();
    }
  } else if (message.type === 'info' && /^Request cancelled/.test(text)) {
    draft.interruptTurn();
  }
}

const OUTCOMES: ReadonlyMap<string | null, TranscriptCall['outcome']> = new Map([
  ['error', 'failed'],
  ['success', 'ok'],
  ['cancelled', 'interrupted'],
]);

function callOf(call: unknown): TranscriptCall {
  const status = textAt(call, 'status');
  const response = objectAt(objectAt(listAt(call, 'result')[0], 'functionResponse'), 'response');
  const nativeName = textAt(call, 'name') ?? '';
  const code = nativeName === 'run_shell_command' ? exitCodeOf(textAt(response, 'output') ?? '') : null;
  return {
    // Its own id of the call, which it does not send to hooks (0.61.0).
    id: textAt(call, 'id'),
    nativeName,
    input: objectAt(call, 'args') ?? {},
    startedAt: timeAt(call, 'timestamp'),
    outcome: code ? 'failed' : (OUTCOMES.get(status) ?? 'unknown'),
    exitCode: status === 'success' ? code : null,
  };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content : [content];
  return parts.map((part) => (typeof part === 'string' ? part : (textAt(part, 'text') ?? ''))).join('');
}

function tokens(used: Json | null): TokenUsage {
  const cacheRead = numberAt(used, 'cached');
  return {
    // The client counts what came from its cache as input too.
    input: numberAt(used, 'input') - cacheRead + numberAt(used, 'tool'),
    output: numberAt(used, 'output'),
    cacheRead,
    cacheWrite: 0,
    reasoning: numberAt(used, 'thoughts'),
  };
}
