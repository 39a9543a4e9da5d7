import type { ToolResult } from '../../model/tools.ts';
import {
  type AgentHistory,
  NO_SEARCH,
  type TokenUsage,
  type TranscriptDraft,
  type TranscriptReader,
  transcriptReader,
} from '../kit/history.ts';
import { type Json, listAt, numberAt, objectAt, parsed, textAt, timeAt } from '../kit/loose-json.ts';
import { patchChanges } from '../kit/patch.ts';

export const history: AgentHistory = {
  changes: (tool) => patchChanges(textAt(tool.input, 'command') ?? ''),
  // Searches are shell commands here.
  search: () => NO_SEARCH,
  output,
  readTranscript,
  server: {
    add: (name, command) => ['mcp', 'add', name, '--', ...command],
    remove: (name) => ['mcp', 'remove', name],
  },
};

function output({ nativeName, response, error }: ToolResult): string | null {
  if (typeof response === 'string') {
    return nativeName === 'apply_patch' ? response.replace(/^Exit code: [\s\S]*?\nOutput:\n/, '') : response;
  }
  const texts = listAt(response, 'content').map((part) => textAt(part, 'text'));
  const said = texts.filter((text) => text !== null);
  return said.length > 0 ? said.join('\n') : error;
}

const SHELLS = new Set(['exec_command', 'shell', 'local_shell']);
/** Scripts that call tools: each of their calls has a line of its own, and only those are calls. */
const CONTAINERS = new Set(['exec']);
const EXIT_CODE = /(?:^|\n)(?:Process exited with code|Exit code:) (-?\d+)/;

/** A rollout file: the raw items of the conversation, and events about them (0.166.0). */
function readTranscript(): TranscriptReader {
  let model = 'unknown';
  return transcriptReader((line, draft) => {
    const payload = objectAt(line, 'payload');
    if (payload === null) return;
    const at = timeAt(line, 'timestamp');
    if (line.type === 'event_msg') addEvent(payload, at, draft);
    else if (line.type === 'response_item') addResponse(payload, at, draft);
    else if (line.type === 'turn_context') model = textAt(payload, 'model') ?? model;
    else if (line.type === 'token_usage_record')
      draft.addUsage(model, tokens(objectAt(payload, 'usage') ?? {}));
  });
}

function addEvent(payload: Json, at: number | null, draft: TranscriptDraft): void {
  switch (payload.type) {
    case 'item_completed':
      addItem(objectAt(payload, 'item') ?? {}, at, draft);
      break;
    case 'user_message':
      draft.startTurn(textAt(payload, 'message') ?? '');
      break;
    case 'task_complete': {
      const message = textAt(payload, 'last_agent_message');
      if (message) draft.setMessage(message);
      break;
    }
    case 'turn_aborted':
      draft.interruptTurn();
      break;
  }
}

function addItem(item: Json, at: number | null, draft: TranscriptDraft): void {
  const text = listAt(item, 'content').map((part) => textAt(part, 'text') ?? '');
  if (item.type === 'UserMessage') draft.startTurn(text.join('\n'));
  if (item.type === 'AgentMessage') draft.setMessage(text.join('\n'));
  if (item.type === 'CommandExecution') addCommand(item, at, draft);
}

/** Commands of scripts are nowhere else in the file. */
function addCommand(item: Json, at: number | null, draft: TranscriptDraft): void {
  const id = textAt(item, 'id') ?? '';
  const code = typeof item.exit_code === 'number' ? item.exit_code : null;
  const call =
    draft.call(id) ??
    draft.startCall({
      id,
      nativeName: 'exec_command',
      input: { cmd: listAt(item, 'command').at(-1) ?? '' },
      startedAt: at,
    });
  call.exitCode = code;
  if (code !== null) call.outcome = code === 0 ? 'ok' : 'failed';
}

function addResponse(payload: Json, at: number | null, draft: TranscriptDraft): void {
  const id = textAt(payload, 'call_id');
  if (id === null) return;
  const { type } = payload;
  const name = textAt(payload, 'name') ?? '';
  if ((type === 'function_call' || type === 'custom_tool_call') && !CONTAINERS.has(name)) {
    const input = type === 'function_call' ? parsed(textAt(payload, 'arguments')) : { input: payload.input };
    const server = textAt(payload, 'namespace');
    const nativeName = server === null ? name : `${server}__${name}`;
    draft.startCall({ id, nativeName, input, startedAt: at });
  }
  if (type !== 'function_call_output' && type !== 'custom_tool_call_output') return;
  const call = draft.call(id);
  const code = EXIT_CODE.exec(textAt(payload, 'output') ?? '')?.[1];
  if (call === undefined || code === undefined) return;
  call.outcome = code === '0' ? 'ok' : 'failed';
  if (SHELLS.has(call.nativeName)) call.exitCode = Number(code);
}

function tokens(usage: Json): TokenUsage {
  const cacheRead = numberAt(usage, 'cached_input_tokens');
  return {
    // What came from the cache is counted as input too.
    input: numberAt(usage, 'input_tokens') - cacheRead,
    output: numberAt(usage, 'output_tokens'),
    cacheRead,
    cacheWrite: numberAt(usage, 'cache_write_input_tokens'),
    reasoning: numberAt(usage, 'reasoning_output_tokens'),
  };
}
