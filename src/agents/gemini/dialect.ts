import { type HookEvent, isToolEvent } from '../../model/events.ts';
import type { ToolCall, ToolResult } from '../../model/tools.ts';
import { ownPayload } from '../_families/hook-payloads.ts';
import { type CommonCall, commonResult, type Dialect, inverse, type Presented, renamed } from '../dialect.ts';
import { isObject } from '../loose-json.ts';
import { interpret } from './dialect-interpret.ts';
import { NATIVE_EVENTS } from './names.ts';
import { nativeToolName } from './tools.ts';

/** Gemini CLI 0.61.0 as hooks see it. */
export const dialect: Dialect = {
  timeoutUnit: 'ms',
  defaultTimeoutMs: 60_000,
  events: NATIVE_EVENTS,
  shell: (command) => ['bash', '-c', command],
  describe: (tool) => [commonCall(tool)],
  present(event, call) {
    const payload = event.source === 'gemini' ? ownPayload(event) : foreignPayload(event, call);
    return payload && presented(event, payload, call);
  },
  matches: ({ event, subject }, matcher) => matches(event, subject, matcher),
  interpret,
};

/** Where this client has another word for an argument than the common one. */
const ARGUMENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Bash: { run_in_background: 'is_background' },
  Edit: { replace_all: 'allow_multiple' },
  Glob: { path: 'dir_path' },
  Grep: { path: 'dir_path', glob: 'include_pattern' },
  Ls: { path: 'dir_path' },
  Task: { subagent_type: 'agent_name' },
};

function commonCall(tool: ToolCall | ToolResult): CommonCall {
  const words = ARGUMENTS[tool.name] ?? {};
  return {
    name: tool.name,
    input: renamed(tool.input, inverse(words)),
    useId: tool.useId,
    mcp: tool.mcp,
    result: commonResult(tool, outputText),
    change: (changes) => renamed(changes, words),
  };
}

/** What the model is told, without the frame that says it is not to be trusted. */
function outputText(response: unknown): string {
  const content = isObject(response) ? response.llmContent : response;
  const parts = Array.isArray(content) ? content : [content];
  const text = parts
    .map((part) => (isObject(part) ? part.text : part))
    .filter((part) => typeof part === 'string')
    .join('\n');
  const framed = /^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>\s*$/.exec(text)?.[1] ?? text;
  return framed.replace(/^Output: /, '').replace(/\nProcess Group PGID: \d+\s*$/, '');
}

function foreignPayload(event: HookEvent, call: CommonCall | null): Record<string, unknown> | null {
  const fields = isToolEvent(event) ? toolFields(event, call) : ownFields(event);
  return (
    fields && {
      session_id: event.sessionId,
      transcript_path: event.transcriptPath ?? '',
      cwd: event.cwd ?? '',
      timestamp: new Date(event.timestamp).toISOString(),
      ...fields,
    }
  );
}

function ownFields(event: HookEvent): Record<string, unknown> | null {
  switch (event.type) {
    case 'session_start': {
      // It knows three; a fork or a compaction begins with what was there, as a resumed session does.
      const source = ['startup', 'resume', 'clear'].includes(event.trigger) ? event.trigger : 'resume';
      return { hook_event_name: 'SessionStart', source };
    }
    case 'session_end':
      return { hook_event_name: 'SessionEnd', reason: event.reason === 'clear' ? 'clear' : 'exit' };
    case 'before_agent':
      return { hook_event_name: 'BeforeAgent', prompt: event.prompt };
    case 'stop':
    case 'after_agent':
      return {
        hook_event_name: 'AfterAgent',
        prompt: event.type === 'after_agent' ? (event.prompt ?? '') : '',
        prompt_response: event.lastAssistantMessage ?? '[no response text]',
        stop_hook_active: event.stopHookActive,
      };
    case 'pre_compact':
      return { hook_event_name: 'PreCompress', trigger: event.trigger };
    case 'notification':
      return {
        hook_event_name: 'Notification',
        notification_type: 'ToolPermission',
        message: event.message,
        details: { type: 'info', title: event.title ?? '' },
      };
    default:
      return null;
  }
}

function toolFields(event: HookEvent, call: CommonCall | null): Record<string, unknown> | null {
  if (call === null) return null;
  const tool = {
    tool_name: call.mcp ? `mcp_${call.mcp.server}_${call.mcp.tool}` : nativeToolName(call.name),
    tool_input: renamed(call.input, ARGUMENTS[call.name] ?? {}),
    ...(call.mcp ? { mcp_context: { server_name: call.mcp.server, tool_name: call.mcp.tool } } : {}),
  };
  if (event.type === 'before_tool') return { hook_event_name: 'BeforeTool', ...tool };
  if (event.type !== 'after_tool' || call.result === null) return null;
  const { output, error, outcome } = call.result;
  const tool_response = {
    llmContent: output,
    returnDisplay: output,
    ...(outcome === 'failed' ? { error: { message: error ?? output, type: 'execution_failed' } } : {}),
  };
  return { hook_event_name: 'AfterTool', ...tool, tool_response };
}

const MATCHED: ReadonlyMap<string, string> = new Map([
  ['BeforeTool', 'tool_name'],
  ['AfterTool', 'tool_name'],
  ['SessionStart', 'source'],
  ['SessionEnd', 'reason'],
  ['PreCompress', 'trigger'],
]);

function presented(event: HookEvent, payload: Record<string, unknown>, call: CommonCall | null): Presented {
  const name = String(payload.hook_event_name ?? event.nativeEvent);
  const subject = payload[MATCHED.get(name) ?? ''];
  const folder = event.cwd ?? '';
  return {
    event: name,
    payload,
    env: {
      GEMINI_PROJECT_DIR: folder,
      GEMINI_CWD: folder,
      // It sets this one too, for scripts that were written for another client.
      CLAUDE_PROJECT_DIR: folder,
      GEMINI_SESSION_ID: event.sessionId,
    },
    subject: typeof subject === 'string' ? subject : null,
    envFile: null,
    common: (changes) => renamed(changes, inverse(ARGUMENTS[call?.name ?? ''] ?? {})),
  };
}

/** Tools by pattern, sessions and compressions by the exact word; elsewhere a matcher is not read (0.61.0). */
function matches(event: string, subject: string | null, matcher: string | undefined): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*' || subject === null) return true;
  if (event !== 'BeforeTool' && event !== 'AfterTool') return matcher === subject;
  try {
    return new RegExp(matcher).test(subject);
  } catch {
    return matcher === subject;
  }
}
