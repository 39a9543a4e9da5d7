import * as v from 'valibot';
import { anyObject, named, text } from '../wire-parts.ts';

/**
 * The JSON that Codex 0.166.0 hands to hooks, in its own spelling. Keys nobody names here pass. What decisions hang on
 * is required; descriptive texts have a stand-in.
 */

const BASE = {
  /** Inside a subagent this is the root session; `agent_id` is then the thread of the child. */
  session_id: v.pipe(v.string(), v.minLength(1)),
  hook_event_name: text,
  /** null in sessions without a disk. */
  transcript_path: text,
  cwd: text,
  model: text,
  turn_id: text,
  /** `default` or `bypassPermissions` (nothing is ever asked), whatever else the schema lists. */
  permission_mode: text,
  agent_id: text,
  agent_type: text,
};

const TOOL = {
  tool_name: v.pipe(v.string(), v.minLength(1)),
  tool_input: anyObject,
  /** Absent on PermissionRequest. */
  tool_use_id: text,
};

const TURN = {
  stop_hook_active: v.nullish(v.boolean(), false),
  last_assistant_message: text,
};

const event = <const E extends v.ObjectEntries>(entries: E) => v.looseObject({ ...BASE, ...entries });

export const unknownWire = event({});

export const WIRE = {
  SessionStart: event({ source: named }),
  UserPromptSubmit: event({ prompt: v.string() }),
  // These two have no published schema.
  PreModelRequest: event({}),
  PostModelRequest: event({
    status: text,
    error: v.optional(v.unknown()),
    token_usage: v.optional(v.unknown()),
  }),
  PreToolUse: event(TOOL),
  PermissionRequest: event(TOOL),
  PostToolUse: event({ ...TOOL, tool_response: v.optional(v.unknown()) }),
  PreCompact: event({ trigger: named }),
  PostCompact: event({ trigger: named }),
  SubagentStart: event({}),
  SubagentStop: event({ ...TURN, agent_transcript_path: text }),
  Stop: event(TURN),
  Interrupt: event({}),
  // Always "other" (0.166.0).
  SessionEnd: event({ reason: named }),
};

export type NativeEvent = keyof typeof WIRE;

/** Every event of the client, in its own spelling. */
export const NATIVE_EVENTS: readonly string[] = Object.keys(WIRE);
