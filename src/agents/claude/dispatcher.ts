import { isObject } from '../../model/json.ts';
import { type DispatcherDialect, withAlias } from '../kit/dispatcher.ts';
import { type Json, listAt, objectAt, parsed, textAt } from '../kit/loose-json.ts';
import { toolNames } from '../kit/tools.ts';
import { payloads } from './decode.ts';

/** An editor whose calls one dispatcher reports in the form of this client, with its own tools. */
const ANTIGRAVITY = 'antigravity';

/** Scripts that do not name the agent are those for this one. */
export const dispatcher: DispatcherDialect = {
  sources: ['', 'claude', 'claude_sdk', 'claude_sdk_web_chat', ANTIGRAVITY],
  payload: (payload, source) =>
    source === ANTIGRAVITY && isObject(payload) ? fromAntigravity(payload) : payload,
  answer(body, call) {
    const event = payloads.nameOf(call);
    const { continue: goesOn, stopReason, ...rest } = body;
    // The script turns `continue: false` into exit code 2, which here would keep the agent from stopping.
    if (goesOn === false && (event === 'Stop' || event === 'SubagentStop')) return rest;
    // Nor does it print anything but the reason of a refusal.
    const context = textAt(body.hookSpecificOutput, 'additionalContext');
    if (body.decision !== 'block' || context === null) return body;
    return { ...body, reason: `${textAt(body, 'reason') ?? ''}\n\n${context}` };
  },
};

const TOOLS = toolNames([
  ['Bash', 'run_command'],
  ['Read', 'view_file', 'view_file_outline', 'view_code_item'],
  ['Write', 'write_to_file'],
  ['Edit', 'replace_file_content', 'multi_replace_file_content', 'edit_file'],
  ['Ls', 'list_dir'],
  ['Glob', 'find_by_name'],
  ['Grep', 'grep_search', 'codebase_search'],
  ['WebFetch', 'read_url_content'],
  ['WebSearch', 'search_web'],
]);

const ARGUMENTS: readonly (readonly [ours: string, others: readonly string[]])[] = [
  ['command', ['CommandLine', 'command_line']],
  ['file_path', ['AbsolutePath', 'TargetFile', 'File', 'path', 'target_file']],
  ['path', ['DirectoryPath', 'SearchDirectory', 'SearchPath']],
  ['url', ['Url']],
];

/** Their arguments stay, beside those that rules look at. */
function fromAntigravity(payload: Json): Json {
  const call = objectAt(payload, 'toolCall');
  const named = withAlias(payload, 'session_id', ['conversationId']);
  const name = textAt(payload, 'tool_name') ?? textAt(call, 'name');
  if (name === null) return named;
  const args = payload.tool_input ?? call?.args;
  const given = isObject(args) ? args : parsed(typeof args === 'string' ? args : null);
  const input = ARGUMENTS.reduce<Json>((all, [ours, others]) => withAlias(all, ours, others), given);
  const [folder] = listAt(payload, 'workspacePaths');
  return {
    ...named,
    cwd: textAt(given, 'Cwd') ?? textAt(payload, 'cwd') ?? (typeof folder === 'string' ? folder : null),
    tool_name: TOOLS.canonical(name),
    tool_input: input,
  };
}
