import type { HookEvent } from '../../model/events.ts';
import type { ToolCall, ToolResult } from '../../model/tools.ts';
import { ownPayload } from '../_families/hook-payloads.ts';
import { type CommonCall, commonResult, type Dialect, type Presented } from '../dialect.ts';
import { isObject } from '../loose-json.ts';
import { foreignPayload } from './dialect-foreign.ts';
import { interpret } from './dialect-interpret.ts';
import { formOf } from './forms.ts';
import { matches } from './matcher.ts';
import { NATIVE_EVENTS } from './names.ts';

/** Claude Code 2.1.325 as hooks see it. */
export const dialect: Dialect = {
  timeoutUnit: 's',
  defaultTimeoutMs: 600_000,
  events: NATIVE_EVENTS,
  // Not $SHELL (2.1.325, seen in its error texts).
  shell: (command) => ['/bin/sh', '-c', command],
  describe: (tool) => [commonCall(tool)],
  present(event, call) {
    const payload = event.source === 'claude' ? ownPayload(event) : foreignPayload(event, call);
    return payload && presented(event, payload);
  },
  matches: ({ event, subject }, matcher) => matches(event, subject, matcher),
  interpret,
};

function commonCall(tool: ToolCall | ToolResult): CommonCall {
  return {
    name: tool.name,
    input: tool.input,
    useId: tool.useId,
    mcp: tool.mcp,
    result: commonResult(tool, outputText),
    // The common words are this client's own.
    change: (changes) => changes,
  };
}

function outputText(response: unknown): string {
  if (typeof response === 'string') return response;
  if (Array.isArray(response))
    return response
      .flatMap((block) => (isObject(block) && typeof block.text === 'string' ? block.text : []))
      .join('\n');
  if (!isObject(response)) return '';
  const file = isObject(response.file) ? response.file.content : undefined;
  const found = [response.stdout, file, response.result].find((text) => typeof text === 'string');
  return typeof found === 'string' ? found : JSON.stringify(response);
}

const MATCHED: ReadonlyMap<string, string> = new Map([
  ['PreToolUse', 'tool_name'],
  ['PermissionRequest', 'tool_name'],
  ['PermissionDenied', 'tool_name'],
  ['PostToolUse', 'tool_name'],
  ['PostToolUseFailure', 'tool_name'],
  ['UserPromptExpansion', 'command_name'],
  ['SessionStart', 'source'],
  ['Setup', 'trigger'],
  ['SessionEnd', 'reason'],
  ['StopFailure', 'error'],
  ['SubagentStart', 'agent_type'],
  ['SubagentStop', 'agent_type'],
  ['PreCompact', 'trigger'],
  ['PostCompact', 'trigger'],
  ['PreModelSwitch', 'to_model'],
  ['PostModelSwitch', 'to_model'],
  ['Notification', 'notification_type'],
  ['Elicitation', 'mcp_server_name'],
  ['ElicitationResult', 'mcp_server_name'],
  ['ConfigChange', 'source'],
  ['InstructionsLoaded', 'load_reason'],
  ['DirectoryAdded', 'source'],
]);

function presented(event: HookEvent, payload: Record<string, unknown>): Presented {
  const name = String(payload.hook_event_name ?? event.nativeEvent);
  const subject = payload[MATCHED.get(name) ?? ''];
  const folder = event.projectId ?? event.cwd;
  return {
    event: name,
    payload,
    env: {
      CLAUDECODE: '1',
      CLAUDE_CODE_SESSION_ID: event.sessionId,
      ...(folder === null ? {} : { CLAUDE_PROJECT_DIR: String(event.metadata.projectDir ?? folder) }),
      ...(typeof event.metadata.entrypoint === 'string'
        ? { CLAUDE_CODE_ENTRYPOINT: event.metadata.entrypoint }
        : {}),
    },
    subject: typeof subject === 'string' ? subject : null,
    envFile: formOf(name)?.env ? 'CLAUDE_ENV_FILE' : null,
    common: (changes) => changes,
  };
}
