import { type Element, fixture } from './element.ts';

const DECODE = 'src/agents/gemini/decode.test.ts';
const ENCODE = 'src/agents/gemini/encode.test.ts';
const MODEL = 'src/agents/gemini/encode-model.test.ts';
const WHEN = 'an event happened when the client says, and reached us when it did';
const BEHIND = 'a notification has its details, and an MCP call the server behind it';

/** What Gemini CLI sends to hooks and reads from them. */
export const GEMINI_HOOKS: readonly Element[] = [
  ['session_id, transcript_path, cwd, hook_event_name', ...fixture('gemini', 'BeforeTool/run-shell-command')],
  ['timestamp', DECODE, WHEN],
  ['BeforeTool: tool_name, tool_input', ...fixture('gemini', 'BeforeTool/run-shell-command')],
  ['AfterTool: tool_response', ...fixture('gemini', 'AfterTool/run-shell-command')],
  ['mcp_context: server_name, tool_name', ...fixture('gemini', 'BeforeTool/mcp-my-srv-do-thing')],
  ['mcp_context: command, args, cwd', DECODE, BEHIND],
  ['mcp_context: url, tcp', DECODE, BEHIND],
  ['BeforeAgent: prompt', ...fixture('gemini', 'BeforeAgent/plain')],
  ['AfterAgent: prompt_response, stop_hook_active', ...fixture('gemini', 'AfterAgent/active')],
  ['BeforeModel: llm_request', ...fixture('gemini', 'BeforeModel/plain')],
  ['AfterModel: llm_response', ...fixture('gemini', 'AfterModel/plain')],
  ['BeforeToolSelection', ...fixture('gemini', 'BeforeToolSelection/plain')],
  ['SessionStart: source', ...fixture('gemini', 'SessionStart/startup')],
  ['SessionEnd: reason', ...fixture('gemini', 'SessionEnd/exit')],
  [
    'PreCompress: trigger',
    DECODE,
    'a check before every request is no compaction, one that a person asked for is',
  ],
  ['Notification: notification_type, message', ...fixture('gemini', 'Notification/toolpermission-exec')],
  ['Notification: details', DECODE, BEHIND],
  [
    'decision: allow, deny, block, ask, approve',
    ENCODE,
    'nothing but a question, never a permission, comes of anything',
  ],
  ['continue, stopReason', ENCODE, 'a turn that is to end ends, even if something else would keep it going'],
  ['suppressOutput', ENCODE, 'an answer is hidden, and one without anything in it needs no hiding'],
  ['systemMessage', ...fixture('gemini', 'SessionEnd/clear')],
  ['additionalContext', ENCODE, '%s %j carries it'],
  ['llm_request: part of a request', MODEL, 'a changed setting takes the others with it'],
  [
    'llm_response in place of the model',
    MODEL,
    'an answer in its place goes with a refusal, without which it is ignored',
  ],
  ['llm_response: part of an answer', MODEL, 'a replaced chunk keeps its end and what it cost'],
  ['toolConfig: mode, allowedFunctionNames', MODEL, 'a message alone is not worth a choice of tools'],
  [
    'exit code 2 of a dispatcher',
    ENCODE,
    'a dispatcher script that exits with 2 unless the decision is allow does so for refusals only',
  ],
];
