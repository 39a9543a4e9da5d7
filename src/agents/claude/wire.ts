import * as v from 'valibot';
import { anyObject, named, text } from '../wire-parts.ts';

/**
 * The JSON that Claude Code 2.1.325 hands to hooks, in its own spelling. Keys nobody names here pass. What decisions
 * hang on is required; descriptive texts have a stand-in, because older wrappers around this client leave them out.
 */

const number = v.nullish(v.number());
const flag = v.nullish(v.boolean());
const required = v.string();

const BASE = {
  session_id: v.pipe(v.string(), v.minLength(1)),
  hook_event_name: text,
  /** Empty in sessions without a disk. */
  transcript_path: text,
  cwd: text,
  /** Absent before the first prompt. */
  prompt_id: text,
  permission_mode: text,
  /** Only inside a subagent; `agent_type` alone is the main thread of `--agent`. */
  agent_id: text,
  agent_type: text,
  effort: v.nullish(v.looseObject({ level: text })),
  scratchpad_dir: text,
  /** Not the client's: the wrapper of a dispatcher script adds it. */
  machine_id: text,
};

const TOOL = {
  tool_name: v.pipe(v.string(), v.minLength(1)),
  tool_input: anyObject,
  tool_use_id: text,
  mcp_server: v.nullish(v.looseObject({ name: text, source: text })),
};

const RESULT = {
  tool_response: v.optional(v.unknown()),
  /** The name that old wrappers use for `tool_response`. */
  tool_output: v.optional(v.unknown()),
  duration_ms: number,
};

const TURN = {
  stop_hook_active: v.nullish(v.boolean(), false),
  last_assistant_message: text,
  background_tasks: v.nullish(
    v.array(
      v.looseObject({ id: required, type: named, status: named, description: v.nullish(v.string(), '') }),
    ),
    [],
  ),
  session_crons: v.nullish(v.array(v.unknown())),
};

const TASK = {
  task_id: required,
  task_subject: v.nullish(v.string(), ''),
  task_description: text,
  teammate_name: text,
  team_name: text,
};

const MODEL = {
  from_model: required,
  to_model: required,
  requested_model: text,
  source: named,
  context_tokens: number,
  prompt_cache_warm: flag,
  cache_ttl: text,
  estimated_cache_write_usd: number,
  pricing: text,
};

const destination = v.string();
const rules = v.array(v.looseObject({ toolName: v.string(), ruleContent: text }));

/** What the permission dialog would remember; a kind that is not known yet passes as it is. */
export const permissionUpdate = v.union([
  v.looseObject({
    type: v.picklist(['addRules', 'replaceRules', 'removeRules']),
    rules,
    behavior: v.picklist(['allow', 'deny', 'ask']),
    destination,
  }),
  v.looseObject({ type: v.literal('setMode'), mode: v.string(), destination }),
  v.looseObject({
    type: v.picklist(['addDirectories', 'removeDirectories']),
    directories: v.array(v.string()),
    destination,
  }),
  v.looseObject({ type: v.string() }),
]);
export type PermissionUpdateWire = v.InferOutput<typeof permissionUpdate>;

const event = <const E extends v.ObjectEntries>(entries: E) => v.looseObject({ ...BASE, ...entries });

export const unknownWire = event({});

export const WIRE = {
  PreToolUse: event(TOOL),
  PermissionRequest: event({ ...TOOL, permission_suggestions: v.nullish(v.array(permissionUpdate), []) }),
  PermissionDenied: event({ ...TOOL, reason: v.nullish(v.string(), '') }),
  PostToolUse: event({ ...TOOL, ...RESULT }),
  PostToolUseFailure: event({ ...TOOL, ...RESULT, error: text, is_interrupt: flag }),
  PostToolBatch: event({ tool_calls: v.array(v.looseObject({ ...TOOL, ...RESULT })) }),
  UserPromptSubmit: event({ prompt: required, session_title: text, source: text }),
  UserPromptExpansion: event({
    prompt: required,
    expansion_type: named,
    command_name: required,
    command_args: v.nullish(v.string(), ''),
    command_source: text,
  }),
  SessionStart: event({
    source: named,
    model: text,
    session_title: text,
    seconds_since_last_response: number,
    context_tokens: number,
    prompt_cache_likely_expired: flag,
    estimated_cache_write_usd: number,
  }),
  // Open sets: "bypass_permissions_disabled" came and went between versions.
  SessionEnd: event({ reason: named }),
  Setup: event({ trigger: named }),
  Stop: event(TURN),
  StopFailure: event({ error: named, error_details: text, last_assistant_message: text }),
  SubagentStart: event({ subagent_id: text }),
  SubagentStop: event({ ...TURN, agent_transcript_path: text, subagent_id: text }),
  TeammateIdle: event({ teammate_name: named, team_name: text }),
  TaskCreated: event(TASK),
  TaskCompleted: event(TASK),
  PreCompact: event({ trigger: named, custom_instructions: text }),
  PostCompact: event({ trigger: named, compact_summary: text }),
  PreModelSwitch: event(MODEL),
  PostModelSwitch: event(MODEL),
  Notification: event({ message: v.nullish(v.string(), ''), title: text, notification_type: named }),
  Elicitation: event({
    mcp_server_name: required,
    message: v.nullish(v.string(), ''),
    mode: v.nullish(v.string(), 'form'),
    url: text,
    elicitation_id: text,
    requested_schema: v.optional(v.unknown()),
  }),
  ElicitationResult: event({
    mcp_server_name: required,
    elicitation_id: text,
    mode: text,
    action: required,
    content: v.optional(v.unknown()),
  }),
  ConfigChange: event({ source: named, file_path: text }),
  InstructionsLoaded: event({
    file_path: required,
    memory_type: named,
    load_reason: named,
    globs: v.nullish(v.array(v.string())),
    trigger_file_path: text,
    parent_file_path: text,
  }),
  CwdChanged: event({ old_cwd: required, new_cwd: required }),
  FileChanged: event({ file_path: required, event: named }),
  DirectoryAdded: event({ directory: required, source: named }),
  WorktreeCreate: event({ name: required }),
  WorktreeRemove: event({ worktree_path: required }),
  MessageDisplay: event({
    turn_id: text,
    message_id: required,
    index: v.nullish(v.number(), 0),
    final: v.nullish(v.boolean(), false),
    delta: required,
  }),
};
