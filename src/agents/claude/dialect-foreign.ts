import { type HookEvent, isToolEvent } from '../../model/events.ts';
import type { CommonCall, CommonResult } from '../dialect.ts';
import { nativeToolName } from './tools.ts';

/** What this client would have sent, had it been the one; null for what it has no event for. */
export function foreignPayload(event: HookEvent, call: CommonCall | null): Record<string, unknown> | null {
  const fields = isToolEvent(event) ? toolFields(event, call) : ownFields(event);
  if (fields === null) return null;
  const { hook_event_name, ...more } = fields;
  return {
    session_id: event.sessionId,
    transcript_path: event.transcriptPath ?? '',
    cwd: event.cwd ?? '',
    ...(WITH_MODE.has(hook_event_name) ? { permission_mode: event.permissionMode ?? 'default' } : {}),
    ...(event.agentId === null ? {} : { agent_id: event.agentId }),
    hook_event_name,
    ...more,
  };
}

const WITH_MODE: ReadonlySet<string> = new Set([
  'PreToolUse',
  'PermissionRequest',
  'PermissionDenied',
  'PostToolUse',
  'PostToolUseFailure',
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
]);

interface Fields {
  readonly hook_event_name: string;
  readonly [key: string]: unknown;
}

function ownFields(event: HookEvent): Fields | null {
  switch (event.type) {
    case 'session_start':
      return {
        hook_event_name: 'SessionStart',
        source: event.trigger,
        ...(event.model === null ? {} : { model: event.model }),
      };
    case 'session_end':
      return { hook_event_name: 'SessionEnd', reason: event.reason };
    case 'setup':
      return { hook_event_name: 'Setup', trigger: event.trigger };
    case 'before_agent':
      return { hook_event_name: 'UserPromptSubmit', prompt: event.prompt };
    case 'stop':
    case 'after_agent':
      return { hook_event_name: 'Stop', ...turn(event) };
    case 'subagent_start':
      return {
        hook_event_name: 'SubagentStart',
        agent_id: event.subagentId ?? '',
        agent_type: event.subagentType,
      };
    case 'subagent_stop':
      return {
        hook_event_name: 'SubagentStop',
        ...turn(event),
        agent_id: event.subagentId ?? '',
        agent_type: event.subagentType,
        agent_transcript_path: event.subagentTranscriptPath ?? '',
      };
    case 'pre_compact':
      return {
        hook_event_name: 'PreCompact',
        trigger: event.trigger,
        custom_instructions: event.instructions,
      };
    case 'post_compact':
      return {
        hook_event_name: 'PostCompact',
        trigger: event.trigger,
        compact_summary: event.summary ?? '',
      };
    case 'notification':
      return {
        hook_event_name: 'Notification',
        message: event.message,
        ...(event.title === null ? {} : { title: event.title }),
        notification_type: event.kind,
      };
    default:
      return null;
  }
}

type Turn = Extract<HookEvent, { type: 'stop' | 'after_agent' | 'subagent_stop' }>;

function turn(event: Turn): Record<string, unknown> {
  return {
    stop_hook_active: event.stopHookActive,
    last_assistant_message: event.lastAssistantMessage ?? '',
    background_tasks: event.backgroundTasks.map(({ kind, ...task }) => ({ ...task, type: kind })),
    session_crons: [],
  };
}

function toolFields(event: HookEvent, call: CommonCall | null): Fields | null {
  if (call === null) return null;
  const tool = {
    tool_name: call.mcp ? `mcp__${call.mcp.server}__${call.mcp.tool}` : nativeToolName(call.name),
    tool_input: call.input,
  };
  const id = { tool_use_id: call.useId ?? event.id };
  switch (event.type) {
    case 'before_tool':
      return { hook_event_name: 'PreToolUse', ...tool, ...id };
    case 'permission_request':
      return { hook_event_name: 'PermissionRequest', ...tool };
    case 'permission_denied':
      return { hook_event_name: 'PermissionDenied', ...tool, ...id, reason: event.reason };
    case 'after_tool':
      return call.result && { ...afterTool(call, call.result), ...tool, ...id };
    default:
      return null;
  }
}

function afterTool(call: CommonCall, result: CommonResult): Fields {
  const took = result.durationMs === null ? {} : { duration_ms: result.durationMs };
  if (result.outcome === 'failed' || result.outcome === 'interrupted') {
    return {
      hook_event_name: 'PostToolUseFailure',
      error: result.error ?? result.output,
      is_interrupt: result.outcome === 'interrupted',
      ...took,
    };
  }
  return { hook_event_name: 'PostToolUse', tool_response: responseOf(call, result.output), ...took };
}

/** In the shape of the client's own tool, as far as that can be told. */
function responseOf({ name, input, mcp }: CommonCall, output: string): unknown {
  if (mcp) return [{ type: 'text', text: output }];
  const filePath = input.file_path;
  switch (name) {
    case 'Bash':
      return { stdout: output, stderr: '', interrupted: false, isImage: false };
    case 'Read':
      return { type: 'text', file: { filePath, content: output } };
    case 'Write':
      return { type: 'update', filePath, content: input.content, structuredPatch: [], originalFile: null };
    case 'Edit':
      return {
        filePath,
        oldString: input.old_string,
        newString: input.new_string,
        originalFile: null,
        structuredPatch: [],
      };
    case 'WebFetch':
      return { result: output, url: input.url };
    default:
      return output;
  }
}
