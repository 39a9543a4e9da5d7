import { isObject } from '../../model/json.ts';
import { withAlias } from '../kit/dispatcher.ts';
import { type Json, listAt, objectAt, parsed, textAt } from '../kit/loose-json.ts';
import { toolNames } from '../kit/tools.ts';

/** What dispatcher scripts call an editor whose calls they report in the form of this client, with its own tools. */
export const ANTIGRAVITY = 'antigravity';
/** The newer name, with which the answer has to be in the editor's own words: another word in it is an error. */
export const AGY = 'agy';

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
export function fromAntigravity(payload: Json): Json {
  const call = objectAt(payload, 'toolCall');
  const named = withAlias(withAlias(payload, 'session_id', ['conversationId']), 'transcript_path', [
    'transcriptPath',
  ]);
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

/** It has no approvals, so ask becomes a denial; `continue` is its word for a turn that may not end. */
export function toAgy(body: Json, event: string | null): Json {
  const own = objectAt(body, 'hookSpecificOutput');
  const decision = textAt(own, 'permissionDecision');
  if (decision === 'deny' || decision === 'ask')
    return { decision: 'deny', reason: textAt(own, 'permissionDecisionReason') ?? 'Refused by Hookline.' };
  if (event === 'Stop' && body.decision === 'block') return { decision: 'continue', reason: body.reason };
  return {};
}
