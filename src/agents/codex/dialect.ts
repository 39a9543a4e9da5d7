import { type HookEvent, isToolEvent } from '../../model/events.ts';
import type { ToolCall, ToolResult } from '../../model/tools.ts';
import { ownPayload } from '../_families/hook-payloads.ts';
import {
  type CommonCall,
  type CommonResult,
  commonResult,
  type Dialect,
  type Presented,
} from '../dialect.ts';
import { isObject } from '../loose-json.ts';
import { interpret } from './dialect-interpret.ts';
import { matches } from './matcher.ts';
import { patchCalls, patchToCreate, patchToEdit } from './patch.ts';
import { NATIVE_EVENTS } from './wire.ts';

/** Codex 0.166.0 as hooks see it. */
export const dialect: Dialect = {
  timeoutUnit: 's',
  defaultTimeoutMs: 600_000,
  events: NATIVE_EVENTS,
  // A login shell, the user's own if there is one.
  shell: (command, env) => [env.SHELL || '/bin/sh', '-lc', command],
  describe,
  present(event, call) {
    const payload = event.source === 'codex' ? ownPayload(event) : foreignPayload(event, call);
    return payload && presented(event, payload, call);
  },
  matches: ({ event, subject }, matcher) => matches(event, subject, matcher),
  interpret,
};

/** One patch may create, edit and delete: what others do in as many calls. */
function describe(tool: ToolCall | ToolResult): readonly CommonCall[] {
  const base = { useId: tool.useId, mcp: tool.mcp, result: commonResult(tool, outputText) };
  if (tool.nativeName === 'apply_patch') {
    const calls = patchCalls(String(tool.input.command ?? ''));
    // A text that is no patch is still a call.
    if (calls.length > 0) return calls.map((call) => ({ ...base, ...call, change: () => null }));
  }
  const input = tool.nativeName === 'view_image' ? { ...tool.input, file_path: tool.input.path } : tool.input;
  return [{ ...base, name: tool.name, input, change: (changes) => changes }];
}

function outputText(response: unknown): string {
  if (typeof response === 'string') return response;
  const content = isObject(response) ? response.content : null;
  if (!Array.isArray(content)) return JSON.stringify(response ?? '');
  return content
    .flatMap((block) => (isObject(block) && typeof block.text === 'string' ? block.text : []))
    .join('\n');
}

function foreignPayload(event: HookEvent, call: CommonCall | null): Record<string, unknown> | null {
  const fields = isToolEvent(event) ? toolFields(event, call) : ownFields(event);
  if (fields === null) return null;
  const { hook_event_name, ...more } = fields;
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

interface Fields {
  readonly hook_event_name: string;
  readonly [key: string]: unknown;
}

function ownFields(event: HookEvent): Fields | null {
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

function toolFields(event: HookEvent, call: CommonCall | null): Fields | null {
  if (call === null) return null;
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

const MATCHED: ReadonlyMap<string, string> = new Map([
  ['PreToolUse', 'tool_name'],
  ['PermissionRequest', 'tool_name'],
  ['PostToolUse', 'tool_name'],
  ['SessionStart', 'source'],
  ['SessionEnd', 'reason'],
  ['PreCompact', 'trigger'],
  ['PostCompact', 'trigger'],
  ['SubagentStart', 'agent_type'],
  ['SubagentStop', 'agent_type'],
]);

function presented(event: HookEvent, payload: Record<string, unknown>, call: CommonCall | null): Presented {
  const name = String(payload.hook_event_name ?? event.nativeEvent);
  const subject = payload[MATCHED.get(name) ?? ''];
  return {
    event: name,
    payload,
    // It sets none for hooks (0.166.0).
    env: {},
    subject: typeof subject === 'string' ? subject : null,
    envFile: null,
    // A changed patch says nothing about the call that it was made of.
    common: (changes) => (call !== null && payload.tool_name === 'apply_patch' ? null : changes),
  };
}
