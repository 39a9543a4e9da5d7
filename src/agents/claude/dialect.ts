import { type EventOf, type HookEvent, projectFolderOf } from '../../model/events.ts';
import { isObject } from '../../model/json.ts';
import {
  type CommonCall,
  type CommonResult,
  commonCall,
  type Dialect,
  type HookFields,
  hookDialect,
  isFoundIn,
} from '../kit/dialect.ts';
import { payloads } from './decode.ts';
import { formOf } from './encode.ts';
import { interpret } from './interpret.ts';
import { NAMES } from './tools.ts';

/** Claude Code 2.1.325 as hooks see it. */
export const dialect: Dialect = hookDialect({
  id: 'claude',
  timeoutUnit: 's',
  defaultTimeoutMs: 600_000,
  events: payloads.names,
  // Not $SHELL (2.1.325, seen in its error texts).
  shell: (command) => ['/bin/sh', '-c', command],
  // The common terms are its own.
  describe: (tool) => [commonCall(tool, outputText)],
  fields,
  toolFields,
  payload,
  subjects: {
    PreToolUse: 'tool_name',
    PermissionRequest: 'tool_name',
    PermissionDenied: 'tool_name',
    PostToolUse: 'tool_name',
    PostToolUseFailure: 'tool_name',
    UserPromptExpansion: 'command_name',
    SessionStart: 'source',
    Setup: 'trigger',
    SessionEnd: 'reason',
    StopFailure: 'error',
    SubagentStart: 'agent_type',
    SubagentStop: 'agent_type',
    PreCompact: 'trigger',
    PostCompact: 'trigger',
    PreModelSwitch: 'to_model',
    PostModelSwitch: 'to_model',
    Notification: 'notification_type',
    Elicitation: 'mcp_server_name',
    ElicitationResult: 'mcp_server_name',
    ConfigChange: 'source',
    InstructionsLoaded: 'load_reason',
    DirectoryAdded: 'source',
  },
  env: (event) => {
    const { cwd, sessionId, metadata } = event;
    const folder = projectFolderOf(event) ?? cwd;
    return {
      CLAUDECODE: '1',
      CLAUDE_CODE_SESSION_ID: sessionId,
      ...(folder === null ? {} : { CLAUDE_PROJECT_DIR: String(metadata.projectDir ?? folder) }),
      ...(typeof metadata.entrypoint === 'string' ? { CLAUDE_CODE_ENTRYPOINT: metadata.entrypoint } : {}),
    };
  },
  envFile: (event) => (formOf(event)?.env ? 'CLAUDE_ENV_FILE' : null),
  matches,
  interpret,
});

/** Old names that still match (2.1.325). */
const FORMER: ReadonlyMap<string, string> = new Map([
  ['Task', 'Agent'],
  ['KillShell', 'TaskStop'],
  ['KillBash', 'TaskStop'],
  ['ListPeers', 'ListAgents'],
  ['Brief', 'SendUserMessage'],
]);

// On these two events fewer characters make a plain list.
const NARROW: ReadonlySet<string> = new Set(['FileChanged', 'StopFailure']);

/** Does 2.1.325 run an entry with this matcher? Lists are exact and case-sensitive, everything else is a pattern. */
function matches(matcher: string, subject: string, event: string): boolean {
  const list = NARROW.has(event) ? /^[\w|]+$/ : /^[\w|, -]+$/;
  if (list.test(matcher)) {
    const names = matcher.split(/[|,]/).map((name) => name.trim());
    return names.some((name) => name === subject || FORMER.get(name) === subject);
  }
  const former = [...FORMER].flatMap(([old, now]) => (now === subject ? old : []));
  return isFoundIn(matcher, [subject, ...former]);
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

function payload(event: HookEvent, { hook_event_name, ...more }: HookFields): Record<string, unknown> {
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

function fields(event: HookEvent): HookFields | null {
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
      return { hook_event_name: 'SubagentStart', ...subagent(event) };
    case 'subagent_stop':
      return {
        hook_event_name: 'SubagentStop',
        ...turn(event),
        ...subagent(event),
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

function subagent({ subagentId, subagentType }: EventOf<'subagent_start' | 'subagent_stop'>) {
  return { agent_id: subagentId ?? '', agent_type: subagentType };
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

function toolFields(event: HookEvent, call: CommonCall): HookFields | null {
  const tool = {
    tool_name: call.mcp ? `mcp__${call.mcp.server}__${call.mcp.tool}` : NAMES.native(call.name),
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

function afterTool(call: CommonCall, result: CommonResult): HookFields {
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

/** In the shape of the client's own tool, as far as that is known. */
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
