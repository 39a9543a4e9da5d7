import * as v from 'valibot';
import { anyObject, named, text } from '../wire-parts.ts';

/**
 * The JSON that Gemini CLI 0.61.0 hands to hooks, in its own spelling. Keys nobody names here pass. What decisions hang
 * on is required; descriptive texts have a stand-in, because dispatcher scripts around this client leave them out.
 */

const described = v.nullish(v.string(), '');

const BASE = {
  session_id: v.pipe(v.string(), v.minLength(1)),
  hook_event_name: text,
  /** Empty without a recorder. Inside a subagent it is still the main session's. */
  transcript_path: text,
  cwd: text,
  timestamp: text,
  /** Not the client's: the wrapper of a dispatcher script may add it. */
  machine_id: text,
};

const TOOL = {
  tool_name: v.pipe(v.string(), v.minLength(1)),
  tool_input: anyObject,
  mcp_context: v.nullish(v.looseObject({ server_name: text, tool_name: text, url: text })),
  /** The tool that the model called, where a hook asked for another one after it. */
  original_request_name: text,
};

const MODEL = { llm_request: v.optional(v.unknown()) };

const event = <const E extends v.ObjectEntries>(entries: E) => v.looseObject({ ...BASE, ...entries });

export const unknownWire = event({});

export const WIRE = {
  SessionStart: event({ source: named }),
  // Only "exit" and "clear" are ever sent (0.61.0).
  SessionEnd: event({ reason: named }),
  BeforeAgent: event({ prompt: v.string() }),
  AfterAgent: event({
    prompt: text,
    prompt_response: text,
    stop_hook_active: v.nullish(v.boolean(), false),
  }),
  BeforeModel: event(MODEL),
  AfterModel: event({ ...MODEL, llm_response: v.optional(v.unknown()) }),
  BeforeToolSelection: event(MODEL),
  BeforeTool: event(TOOL),
  AfterTool: event({ ...TOOL, tool_response: v.optional(v.unknown()) }),
  PreCompress: event({ trigger: named }),
  Notification: event({
    notification_type: named,
    message: described,
    details: v.nullish(v.looseObject({ type: text, title: text })),
  }),
};

export type NativeEvent = keyof typeof WIRE;
