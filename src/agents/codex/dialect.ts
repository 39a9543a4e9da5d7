import type { HookEvent } from '../../model/events.ts';
import { isObject } from '../../model/json.ts';
import type { ToolCall, ToolResult } from '../../model/tools.ts';
import {
  type CommonCall,
  type CommonResult,
  commonCall,
  type Dialect,
  type HookFields,
  hookDialect,
  isFoundIn,
} from '../kit/dialect.ts';
import { commonPatch, patchToCreate, patchToEdit } from '../kit/patch.ts';
import { payloads } from './decode.ts';
import { interpret } from './interpret.ts';

/** Codex 0.166.0 as hooks see it. It sets no variables for them. */
export const dialect: Dialect = hookDialect({
  id: 'codex',
  timeoutUnit: 's',
  defaultTimeoutMs: 600_000,
  events: payloads.names,
  // A login shell, the user's own if there is one.
  shell: (command, env) => [env.SHELL || '/bin/sh', '-lc', command],
  describe,
  fields,
  toolFields,
  payload,
  subjects: {
    PreToolUse: 'tool_name',
    PermissionRequest: 'tool_name',
    PostToolUse: 'tool_name',
    SessionStart: 'source',
    SessionEnd: 'reason',
    PreCompact: 'trigger',
    PostCompact: 'trigger',
    SubagentStart: 'agent_type',
    SubagentStop: 'agent_type',
  },
  // A changed patch says nothing about the call that it was made of.
  common: (changes, payload, call) => (call !== null && payload.tool_name === 'apply_patch' ? null : changes),
  matches,
  interpret,
});

/** Names of other clients that its own tools answer to (0.166.0). */
const ALIASES: ReadonlyMap<string, readonly string[]> = new Map([
  ['apply_patch', ['Write', 'Edit']],
  ['spawn_agent', ['Agent']],
]);

/** Plain words are exact alternatives; everything else is a pattern that may match anywhere. */
function matches(matcher: string, subject: string): boolean {
  const names = [subject, ...(ALIASES.get(subject) ?? [])];
  if (/^[\w|]+$/.test(matcher)) return matcher.split('|').some((one) => names.includes(one));
  return isFoundIn(matcher, names);
}

function describe(tool: ToolCall | ToolResult): readonly CommonCall[] {
  const call = commonCall(tool, outputText);
  if (tool.nativeName === 'apply_patch') return commonPatch(call, String(tool.input.command ?? ''));
  return tool.nativeName === 'view_image'
    ? [{ ...call, input: { ...tool.input, file_path: tool.input.path } }]
    : [call];
}

function outputText(response: unknown): string {
  if (typeof response === 'string') return response;
  const content = isObject(response) ? response.content : null;
  if (!Array.isArray(content)) return JSON.stringify(response ?? '');
  return content
    .flatMap((block) => (isObject(block) && typeof block.text === 'string' ? block.text : []))
    .join('\n');
}

function payload(event: HookEvent, { hook_event_name, ...more }: HookFields): Record<string, unknown> {
  const base = {
    session_id: event.sessionId,
    transcript_path: event.transcriptPath,
    cwd: event.cwd ?? '',
    hook_event_name,
  };
  if (hook_event_name === 'SessionEnd') return { ...base, ...more };
  return {
    ...base,
    ...(hook_event_name === 'SessionStart' ? {} : { turn_id: `${event.sessionId}-${event.promptNumber}` }),
    model: String(event.metadata.model ?? 'unknown'),
    ...(hook_event_name === 'PreCompact' || hook_event_name === 'PostCompact'
      ? {}
      : { permission_mode: event.permissionMode === 'bypassPermissions' ? 'bypassPermissions' : 'default' }),
    ...(event.agentId === null ? {} : { agent_id: event.agentId }),
    ...more,
  };
}

function fields(event: HookEvent): HookFields | null {
  switch (event.type) {
    case 'session_start':
      return { hook_event_name: 'SessionStart', source: event.trigger };
    case 'session_end':
      return { hook_event_name: 'SessionEnd', reason: 'other' };
    case 'before_agent':
      return { hook_event_name: 'UserPromptSubmit', prompt: event.prompt };
    case 'stop':
    case 'after_agent':
      return {
        hook_event_name: 'Stop',
        stop_hook_active: event.stopHookActive,
        last_assistant_message: event.lastAssistantMessage,
      };
    case 'subagent_start':
      return {
        hook_event_name: 'SubagentStart',
        agent_id: event.subagentId ?? '',
        agent_type: event.subagentType,
      };
    case 'subagent_stop':
      return {
        hook_event_name: 'SubagentStop',
        stop_hook_active: event.stopHookActive,
        agent_id: event.subagentId ?? '',
        agent_type: event.subagentType,
        agent_transcript_path: event.subagentTranscriptPath,
        last_assistant_message: event.lastAssistantMessage,
      };
    case 'pre_compact':
      return { hook_event_name: 'PreCompact', trigger: event.trigger };
    case 'post_compact':
      return { hook_event_name: 'PostCompact', trigger: event.trigger };
    case 'interrupt':
      return { hook_event_name: 'Interrupt' };
    default:
      return null;
  }
}

function toolFields(event: HookEvent, call: CommonCall): HookFields | null {
  const [tool_name, tool_input] = nativeTool(call);
  const tool = { tool_name, tool_input };
  const id = { tool_use_id: call.useId ?? event.id };
  switch (event.type) {
    case 'before_tool':
      return { hook_event_name: 'PreToolUse', ...tool, ...id };
    case 'permission_request':
      return { hook_event_name: 'PermissionRequest', ...tool };
    case 'after_tool':
      return (
        call.result && {
          hook_event_name: 'PostToolUse',
          ...tool,
          tool_response: responseOf(call, call.result),
          ...id,
        }
      );
    default:
      return null;
  }
}

function nativeTool({ name, input, mcp }: CommonCall): readonly [string, Readonly<Record<string, unknown>>] {
  const text = (key: string) => (typeof input[key] === 'string' ? String(input[key]) : '');
  if (mcp) return [`mcp__${mcp.server}__${mcp.tool}`, input];
  switch (name) {
    case 'Bash':
      return ['Bash', { command: text('command') }];
    case 'Write':
      return ['apply_patch', { command: patchToCreate(text('file_path'), text('content')) }];
    case 'Edit':
      return [
        'apply_patch',
        { command: patchToEdit(text('file_path'), text('old_string'), text('new_string')) },
      ];
    case 'Task':
      return ['spawn_agent', input];
    default:
      return [name, input];
  }
}

function responseOf({ mcp }: CommonCall, { output }: CommonResult): unknown {
  return mcp ? { content: [{ type: 'text', text: output }] } : output;
}
