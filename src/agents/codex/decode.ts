import type * as v from 'valibot';
import { DecodeError } from '../../model/errors.ts';
import type { HookEvent } from '../../model/events.ts';
import { type PayloadDecoder, payloadDecoders } from '../_families/hook-payloads.ts';
import type { NativeCall } from '../agent.ts';
import { decodeMessage, isMessage } from './app-server/index.ts';
import { nativeEventName } from './names.ts';
import { toolCall, toolResult } from './tools.ts';
import { type NativeEvent, unknownWire, WIRE } from './wire.ts';

type Wire = v.InferOutput<typeof unknownWire>;

/** Turns one call into the event it means. Throws only DecodeError. */
export function decode(call: NativeCall): HookEvent {
  if (isMessage(call.payload)) return decodeMessage(call);
  const name = nativeEventName(call);
  if (name === null) throw new DecodeError('Codex sent a payload that does not name its event');
  return (DECODERS.get(name) ?? decodeUnknown)(call, name);
}

const decoder = payloadDecoders({
  source: 'codex',
  label: 'Codex',
  told: (wire: Wire) => ({
    machineId: null,
    permissionMode: wire.permission_mode ?? null,
    agentId: wire.agent_id ?? null,
    metadata: metadataOf(wire),
  }),
});

const decodeUnknown = decoder(unknownWire, () => ({ type: 'unknown', problem: null }));

const DECODERS: ReadonlyMap<string, PayloadDecoder> = new Map<NativeEvent, PayloadDecoder>([
  [
    'SessionStart',
    decoder(WIRE.SessionStart, (w) => ({
      type: 'session_start',
      trigger: w.source,
      model: w.model ?? null,
      title: null,
    })),
  ],
  [
    'UserPromptSubmit',
    decoder(WIRE.UserPromptSubmit, (w) => ({ type: 'before_agent', prompt: w.prompt, title: null })),
  ],
  // Neither the request nor the answer is shown to hooks (0.166.0).
  ['PreModelRequest', decoder(WIRE.PreModelRequest, () => ({ type: 'before_model', request: null }))],
  [
    'PostModelRequest',
    decoder(WIRE.PostModelRequest, (w) => ({
      type: 'after_model',
      request: null,
      response: { status: w.status ?? null, error: w.error ?? null, tokenUsage: w.token_usage ?? null },
    })),
  ],
  ['PreToolUse', decoder(WIRE.PreToolUse, (w) => ({ type: 'before_tool', tool: toolCall(w) }))],
  [
    'PermissionRequest',
    decoder(WIRE.PermissionRequest, (w) => ({
      type: 'permission_request',
      tool: toolCall(w),
      suggestions: [],
    })),
  ],
  ['PostToolUse', decoder(WIRE.PostToolUse, (w) => ({ type: 'after_tool', tool: toolResult(w) }))],
  [
    'PreCompact',
    decoder(WIRE.PreCompact, (w) => ({ type: 'pre_compact', trigger: w.trigger, instructions: null })),
  ],
  [
    'PostCompact',
    decoder(WIRE.PostCompact, (w) => ({ type: 'post_compact', trigger: w.trigger, summary: null })),
  ],
  [
    'SubagentStart',
    decoder(WIRE.SubagentStart, (w) => ({
      type: 'subagent_start',
      subagentId: w.agent_id ?? null,
      subagentType: w.agent_type ?? 'unknown',
    })),
  ],
  [
    'SubagentStop',
    decoder(WIRE.SubagentStop, (w) => ({
      type: 'subagent_stop',
      ...turn(w),
      subagentId: w.agent_id ?? null,
      subagentType: w.agent_type ?? 'unknown',
      subagentTranscriptPath: w.agent_transcript_path || null,
    })),
  ],
  ['Stop', decoder(WIRE.Stop, (w) => ({ type: 'stop', ...turn(w) }))],
  ['Interrupt', decoder(WIRE.Interrupt, () => ({ type: 'interrupt', reason: null }))],
  ['SessionEnd', decoder(WIRE.SessionEnd, (w) => ({ type: 'session_end', reason: w.reason }))],
]);

function turn(w: v.InferOutput<typeof WIRE.Stop>) {
  return {
    stopHookActive: w.stop_hook_active,
    lastAssistantMessage: w.last_assistant_message ?? null,
    backgroundTasks: [],
  };
}

/** What else is worth knowing of a call, without what is absent. */
function metadataOf(wire: Wire): Record<string, unknown> {
  const metadata: Record<string, unknown> = {};
  if (wire.turn_id) metadata.turnId = wire.turn_id;
  if (wire.model) metadata.model = wire.model;
  if (wire.agent_type) metadata.agentType = wire.agent_type;
  return metadata;
}
