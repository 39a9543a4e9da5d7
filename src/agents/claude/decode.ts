import * as v from 'valibot';
import { isObject } from '../../model/json.ts';
import { extraFields, flag, named, text, textOrEmpty } from '../kit/decoding.ts';
import { type HookPayloads, hookPayloads, payloadRows, snakeCase } from '../kit/hook-payloads.ts';
import { withTool } from './resource-request.ts';
import { doneOutcome, responseOf, toolCall, toolResult } from './tools.ts';
import { anyWire, MODEL, number, permissionUpdate, RESULT, TASK, TOOL, TURN, wire } from './wire.ts';

const row = payloadRows({
  source: 'claude',
  label: 'Claude Code',
  common: (payload: v.InferOutput<typeof anyWire>, name, env) => ({
    permissionMode: payload.permission_mode ?? null,
    agentId: payload.agent_id ?? null,
    metadata: metadataOf(name, payload, env),
  }),
});

const turnWire = wire(TURN);
const taskWire = wire(TASK);
const modelWire = wire(MODEL);

const EVENTS = {
  PreToolUse: row(wire(TOOL), (w) => ({ type: 'before_tool', tool: toolCall(w) })),
  PermissionRequest: row(
    v.pipe(
      v.unknown(),
      v.transform(withTool),
      wire({ ...TOOL, permission_suggestions: v.nullish(v.array(permissionUpdate), []) }),
    ),
    (w) => ({
      type: 'permission_request',
      // The client sends no id here, and what an older wrapper sends is not the id of the call.
      tool: { ...toolCall(w), useId: null },
      suggestions: w.permission_suggestions,
    }),
  ),
  PermissionDenied: row(wire({ ...TOOL, reason: textOrEmpty }), (w) => ({
    type: 'permission_denied',
    tool: toolCall(w),
    reason: w.reason,
  })),
  PostToolUse: row(wire({ ...TOOL, ...RESULT }), (w) => ({
    type: 'after_tool',
    tool: toolResult(w, { error: null, outcome: doneOutcome(w) }),
  })),
  PostToolUseFailure: row(wire({ ...TOOL, ...RESULT, error: text, is_interrupt: flag }), (w) => {
    const response = responseOf(w);
    const error = w.error ?? (typeof response === 'string' ? response : null);
    const outcome = w.is_interrupt ? 'interrupted' : 'failed';
    return { type: 'after_tool', tool: toolResult(w, { error, outcome }, response) };
  }),
  PostToolBatch: row(wire({ tool_calls: v.array(v.looseObject({ ...TOOL, ...RESULT })) }), (w) => ({
    type: 'post_tool_batch',
    // Here the response is what the model sees: failed and denied calls look like any other text.
    calls: w.tool_calls.map((call) => toolResult(call, { error: null, outcome: 'unknown' })),
  })),
  UserPromptSubmit: row(wire({ prompt: v.string(), session_title: text, source: text }), (w) => ({
    type: 'before_agent',
    prompt: w.prompt,
    title: w.session_title ?? null,
  })),
  UserPromptExpansion: row(
    wire({
      prompt: v.string(),
      expansion_type: named,
      command_name: v.string(),
      command_args: textOrEmpty,
      command_source: text,
    }),
    (w) => ({
      type: 'user_prompt_expansion',
      prompt: w.prompt,
      commandName: w.command_name,
      commandArgs: w.command_args,
      expansion: w.expansion_type,
    }),
  ),
  SessionStart: row(
    wire({
      source: named,
      model: text,
      session_title: text,
      seconds_since_last_response: number,
      context_tokens: number,
      prompt_cache_likely_expired: flag,
      estimated_cache_write_usd: number,
    }),
    (w) => ({
      type: 'session_start',
      trigger: w.source,
      model: w.model ?? null,
      title: w.session_title ?? null,
    }),
  ),
  // Open sets: "bypass_permissions_disabled" came and went between versions.
  SessionEnd: row(wire({ reason: named }), ({ reason }) => ({ type: 'session_end', reason })),
  Setup: row(wire({ trigger: named }), ({ trigger }) => ({ type: 'setup', trigger })),
  Stop: row(turnWire, (w) => ({ type: 'stop', ...turn(w) })),
  StopFailure: row(wire({ error: named, error_details: text, last_assistant_message: text }), (w) => ({
    type: 'stop_failure',
    error: w.error,
    details: w.error_details ?? null,
    lastAssistantMessage: w.last_assistant_message ?? null,
  })),
  SubagentStart: row(wire({ subagent_id: text }), (w) => ({
    type: 'subagent_start',
    subagentId: w.subagent_id ?? w.agent_id ?? null,
    subagentType: w.agent_type ?? 'unknown',
  })),
  SubagentStop: row(wire({ ...TURN, agent_transcript_path: text, subagent_id: text }), (w) => ({
    type: 'subagent_stop',
    ...turn(w),
    subagentId: w.subagent_id ?? w.agent_id ?? null,
    subagentType: w.agent_type ?? 'unknown',
    subagentTranscriptPath: w.agent_transcript_path || null,
  })),
  TeammateIdle: row(wire({ teammate_name: named, team_name: text }), (w) => ({
    type: 'teammate_idle',
    teammate: w.teammate_name,
    team: w.team_name ?? null,
  })),
  TaskCreated: row(taskWire, (w) => ({ type: 'task_created', ...task(w) })),
  TaskCompleted: row(taskWire, (w) => ({ type: 'task_completed', ...task(w) })),
  PreCompact: row(wire({ trigger: named, custom_instructions: text }), (w) => ({
    type: 'pre_compact',
    trigger: w.trigger,
    instructions: w.custom_instructions ?? null,
  })),
  PostCompact: row(wire({ trigger: named, compact_summary: text }), (w) => ({
    type: 'post_compact',
    trigger: w.trigger,
    summary: w.compact_summary ?? null,
  })),
  PreModelSwitch: row(modelWire, (w) => ({ type: 'pre_model_switch', ...model(w) })),
  PostModelSwitch: row(modelWire, (w) => ({ type: 'post_model_switch', ...model(w) })),
  Notification: row(wire({ message: textOrEmpty, title: text, notification_type: named }), (w) => ({
    type: 'notification',
    message: w.message,
    title: w.title ?? null,
    kind: w.notification_type,
  })),
  Elicitation: row(
    wire({
      mcp_server_name: v.string(),
      message: textOrEmpty,
      mode: v.nullish(v.string(), 'form'),
      url: text,
      elicitation_id: text,
      requested_schema: v.optional(v.unknown()),
    }),
    (w) => ({
      type: 'elicitation',
      server: w.mcp_server_name,
      message: w.message,
      mode: w.mode,
      schema: w.requested_schema ?? null,
    }),
  ),
  ElicitationResult: row(
    wire({
      mcp_server_name: v.string(),
      elicitation_id: text,
      mode: text,
      action: v.string(),
      content: v.optional(v.unknown()),
    }),
    (w) => ({
      type: 'elicitation_result',
      server: w.mcp_server_name,
      action: w.action,
      content: w.content ?? null,
    }),
  ),
  ConfigChange: row(wire({ source: named, file_path: text }), (w) => ({
    type: 'config_change',
    scope: w.source,
    path: w.file_path ?? null,
  })),
  InstructionsLoaded: row(
    wire({
      file_path: v.string(),
      memory_type: named,
      load_reason: named,
      globs: v.nullish(v.array(v.string())),
      trigger_file_path: text,
      parent_file_path: text,
    }),
    (w) => ({ type: 'instructions_loaded', path: w.file_path, scope: w.memory_type, reason: w.load_reason }),
  ),
  CwdChanged: row(wire({ old_cwd: v.string(), new_cwd: v.string() }), (w) => ({
    type: 'cwd_changed',
    from: w.old_cwd,
    to: w.new_cwd,
  })),
  FileChanged: row(wire({ file_path: v.string(), event: named }), (w) => ({
    type: 'file_changed',
    path: w.file_path,
    change: w.event,
  })),
  DirectoryAdded: row(wire({ directory: v.string(), source: named }), (w) => ({
    type: 'directory_added',
    path: w.directory,
    trigger: w.source,
  })),
  WorktreeCreate: row(wire({ name: v.string() }), ({ name }) => ({ type: 'worktree_create', name })),
  WorktreeRemove: row(wire({ worktree_path: v.string() }), (w) => ({
    type: 'worktree_remove',
    path: w.worktree_path,
  })),
  MessageDisplay: row(
    wire({
      turn_id: text,
      message_id: v.string(),
      index: v.nullish(v.number(), 0),
      final: v.nullish(v.boolean(), false),
      delta: v.string(),
    }),
    (w) => ({
      type: 'message_display',
      messageId: w.message_id,
      index: w.index,
      final: w.final,
      delta: w.delta,
    }),
  ),
};

export type NativeEvent = keyof typeof EVENTS;

export const payloads: HookPayloads<NativeEvent> = hookPayloads({
  label: 'Claude Code',
  events: EVENTS,
  unknown: row(anyWire, () => ({ type: 'unknown', problem: null })),
  // Dispatcher scripts around this client say `pre-tool-use` where it says `PreToolUse`.
  spellings: (name) => [snakeCase(name, '-')],
});

function turn(w: v.InferOutput<typeof turnWire>) {
  return {
    stopHookActive: w.stop_hook_active,
    ...(w.stop_reason ? { stopReason: w.stop_reason } : {}),
    lastAssistantMessage: w.last_assistant_message ?? null,
    backgroundTasks: w.background_tasks.map(({ id, type, status, description }) => ({
      id,
      kind: type,
      status,
      description,
    })),
  };
}

function task(w: v.InferOutput<typeof taskWire>) {
  return {
    taskId: w.task_id,
    subject: w.task_subject,
    description: w.task_description ?? null,
    teammate: w.teammate_name ?? null,
  };
}

function model(w: v.InferOutput<typeof modelWire>) {
  return { fromModel: w.from_model, toModel: w.to_model, trigger: w.source };
}

/** Native fields that no event type has a place for; `some_name` becomes `someName`. */
const EXTRA = [
  ...['prompt_id', 'agent_type', 'scratchpad_dir', 'turn_id', 'command_source', 'requested_model'],
  ...['context_tokens', 'prompt_cache_warm', 'prompt_cache_likely_expired', 'cache_ttl'],
  ...['estimated_cache_write_usd', 'pricing', 'seconds_since_last_response', 'session_crons', 'team_name'],
  ...['url', 'elicitation_id', 'globs', 'trigger_file_path', 'parent_file_path'],
].map((field) => {
  const name = field === 'url' ? 'elicitation_url' : field;
  return [field, name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())] as const;
});

/** What else is worth knowing about a call: flat, in our own names, without absent fields. */
function metadataOf(
  name: string,
  payload: v.InferOutput<typeof anyWire>,
  env: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const metadata = extraFields(payload, EXTRA);
  if (payload.effort?.level) metadata.effort = payload.effort.level;
  // Other events have a place for `source`; here it says who typed the prompt.
  if (name === 'UserPromptSubmit' && payload.source) metadata.promptSource = payload.source;
  const server = payload.mcp_server;
  if (isObject(server) && 'source' in server) metadata.mcpSource = server.source;
  if (env.CLAUDE_PROJECT_DIR) metadata.projectDir = env.CLAUDE_PROJECT_DIR;
  if (env.CLAUDE_CODE_ENTRYPOINT) metadata.entrypoint = env.CLAUDE_CODE_ENTRYPOINT;
  // "0" is an unattended run: an approval would wait forever.
  const attended = env.CLAUDE_CODE_SESSION_ATTENDED;
  if (attended) metadata.attended = attended !== '0';
  // claude-code_2-1-325_harness
  const version = /^claude-code_(\d+)-(\d+)-(\d+)/.exec(env.AI_AGENT ?? '');
  if (version) metadata.clientVersion = version.slice(1).join('.');
  return metadata;
}
