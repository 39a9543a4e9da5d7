import { isObject } from '../../model/json.ts';
import { type DispatcherDialect, withAlias, withoutHalt, withReasonFirst } from '../kit/dispatcher.ts';
import { type Json, textAt } from '../kit/loose-json.ts';
import { payloads } from './decode.ts';

/** Tools of the MCP server of the system that the scripts are from, which they name without it. */
const BARE_MCP_TOOLS: ReadonlySet<string> = new Set([
  'call_tool',
  'list_mcp_servers',
  'list_tools',
  'get_tool_schema',
  'search_tools',
  'recommend_tools',
]);

const ALIASES: readonly (readonly [ours: string, others: readonly string[]])[] = [
  ['session_id', ['sessionId']],
  ['tool_name', ['function_name', 'toolName']],
  ['tool_input', ['parameters', 'args']],
];

export const dispatcher: DispatcherDialect = {
  sources: ['gemini'],
  endsTurns: ['newer'],
  payload: (payload) => (isObject(payload) ? named(payload) : payload),
  answer(body, call) {
    const event = payloads.nameOf(call);
    // Exit code 2 would keep the agent from ending its turn.
    const answer = withReason(event === 'AfterAgent' ? withoutHalt(body) : body);
    // The script prints no empty object, and then the client takes what the script logs on stderr for the answer
    // (0.61.0). Where tools are chosen, any object would be a choice.
    return Object.keys(answer).length === 0 && event !== 'BeforeToolSelection' ? { continue: true } : answer;
  },
};

function withReason(body: Json): Json {
  const reason = body.decision === 'deny' ? textAt(body, 'reason') : null;
  return reason === null ? body : withReasonFirst(body, reason);
}

function named(payload: Json): Json {
  const full = ALIASES.reduce<Json>((all, [ours, others]) => withAlias(all, ours, others), payload);
  const name = textAt(full, 'tool_name');
  const isBare = name !== null && BARE_MCP_TOOLS.has(name) && full.mcp_context === undefined;
  return isBare ? { ...full, tool_name: `mcp_gobby_${name}` } : full;
}
