import { isObject } from '../../model/json.ts';
import { type DispatcherDialect, withoutHalt } from '../kit/dispatcher.ts';
import { textAt } from '../kit/loose-json.ts';
import { toolNames } from '../kit/tools.ts';
import { payloads } from './decode.ts';

/** Names that scripts use for tools of this client and of others. */
const TOOLS = toolNames([
  ['Bash', 'commandExecution', 'run_shell_command', 'RunShellCommand'],
  ['Read', 'read_file', 'ReadFile'],
  ['Write', 'write_file', 'WriteFile'],
  ['Edit', 'edit_file', 'EditFile'],
  ['Glob', 'glob', 'GlobTool'],
  ['Grep', 'grep', 'GrepTool'],
]);

export const dispatcher: DispatcherDialect = {
  sources: ['codex'],
  // Older ones have no hooks of this client to speak for.
  endsTurns: ['newer'],
  payload(payload) {
    const name = textAt(payload, 'tool_name');
    return isObject(payload) && name !== null ? { ...payload, tool_name: TOOLS.canonical(name) } : payload;
  },
  // Only here do newer scripts exit with 2, which would keep the agent from stopping.
  answer: (body, call) => (payloads.nameOf(call) === 'Stop' ? withoutHalt(body) : body),
};
