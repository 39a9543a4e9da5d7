import * as v from 'valibot';
import { anyObject, flag, named, requiredText, text, textOrEmpty } from '../kit/decoding.ts';

// Fields of the JSON that Claude Code 2.1.325 sends to hooks, in its own spelling. Keys that are not named pass. What
// decisions depend on is required; descriptive texts have a default, because older wrappers leave them out.

export const number = v.nullish(v.number());

const BASE = {
  session_id: requiredText,
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
};

export const TOOL = {
  tool_name: requiredText,
  tool_input: anyObject,
  tool_use_id: text,
  mcp_server: v.nullish(v.looseObject({ name: text, source: text })),
};

export const RESULT = {
  tool_response: v.optional(v.unknown()),
  /** The name that old wrappers use for `tool_response`. */
  tool_output: v.optional(v.unknown()),
  duration_ms: number,
};

export const TURN = {
  stop_hook_active: v.nullish(v.boolean(), false),
  /** Not sent by the client: wrappers of dispatcher scripts have it. */
  stop_reason: text,
  last_assistant_message: text,
  background_tasks: v.nullish(
    v.array(v.looseObject({ id: v.string(), type: named, status: named, description: textOrEmpty })),
    [],
  ),
  session_crons: v.nullish(v.array(v.unknown())),
};

export const TASK = {
  task_id: v.string(),
  task_subject: textOrEmpty,
  task_description: text,
  teammate_name: text,
  team_name: text,
};

export const MODEL = {
  from_model: v.string(),
  to_model: v.string(),
  requested_model: text,
  source: named,
  context_tokens: number,
  prompt_cache_warm: flag,
  cache_ttl: text,
  estimated_cache_write_usd: number,
  pricing: text,
};

const destination = v.string();

/** What the permission dialog would remember; a kind that is not known yet passes as it is. */
export const permissionUpdate = v.union([
  v.looseObject({
    type: v.picklist(['addRules', 'replaceRules', 'removeRules']),
    rules: v.array(v.looseObject({ toolName: v.string(), ruleContent: text })),
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

/** The payload of one event. */
export const wire = <const E extends v.ObjectEntries>(entries: E) => v.looseObject({ ...BASE, ...entries });

export const anyWire = wire({});
