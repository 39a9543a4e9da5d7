import type * as v from 'valibot';
import { DecodeError } from '../../model/errors.ts';
import type { HookEvent } from '../../model/events.ts';
import { type PayloadDecoder, payloadDecoders, payloadEventName } from '../_families/hook-payloads.ts';
import type { NativeCall } from '../agent.ts';
import { metadataOf } from './metadata.ts';
import { toolCall, toolResult } from './tools.ts';
import { type NativeEvent, unknownWire, WIRE } from './wire.ts';

type Wire = v.InferOutput<typeof unknownWire>;

/** Turns one call into the event it means. Throws only DecodeError. */
export function decode(call: NativeCall): HookEvent {
  const name = payloadEventName(call);
  if (name === null) throw new DecodeError('Gemini CLI sent a payload that does not name its event');
  return (DECODERS.get(name) ?? decodeUnknown)(call, name);
}

const decoder = payloadDecoders({
  source: 'gemini',
  label: 'Gemini CLI',
  told: (wire: Wire, name, call) => ({
    machineId: wire.machine_id || null,
    permissionMode: null,
    agentId: null,
    metadata: metadataOf(name, wire, call.env),
  }),
});

const decodeUnknown = decoder(unknownWire, () => ({ type: 'unknown', problem: null }));

const DECODERS: ReadonlyMap<string, PayloadDecoder> = new Map<NativeEvent, PayloadDecoder>([
  [
    'SessionStart',
    decoder(WIRE.SessionStart, (w) => ({
      type: 'session_start',
      trigger: w.source,
      model: null,
      title: null,
    })),
  ],
  ['SessionEnd', decoder(WIRE.SessionEnd, (w) => ({ type: 'session_end', reason: w.reason }))],
  [
    'BeforeAgent',
    decoder(WIRE.BeforeAgent, (w) => ({ type: 'before_agent', prompt: w.prompt, title: null })),
  ],
  [
    'AfterAgent',
    decoder(WIRE.AfterAgent, (w) => ({
      type: 'after_agent',
      prompt: w.prompt ?? null,
      stopHookActive: w.stop_hook_active,
      lastAssistantMessage: w.prompt_response === NO_TEXT ? null : (w.prompt_response ?? null),
      backgroundTasks: [],
    })),
  ],
  [
    'BeforeModel',
    decoder(WIRE.BeforeModel, (w) => ({ type: 'before_model', request: w.llm_request ?? null })),
  ],
  [
    'AfterModel',
    decoder(WIRE.AfterModel, (w) => ({
      type: 'after_model',
      request: w.llm_request ?? null,
      response: w.llm_response ?? null,
    })),
  ],
  [
    'BeforeToolSelection',
    decoder(WIRE.BeforeToolSelection, (w) => ({
      type: 'before_tool_selection',
      request: w.llm_request ?? null,
    })),
  ],
  ['BeforeTool', decoder(WIRE.BeforeTool, (w) => ({ type: 'before_tool', tool: toolCall(w) }))],
  ['AfterTool', decoder(WIRE.AfterTool, (w) => ({ type: 'after_tool', tool: toolResult(w) }))],
  [
    'PreCompress',
    decoder(WIRE.PreCompress, (w) => ({ type: 'pre_compact', trigger: w.trigger, instructions: null })),
  ],
  [
    'Notification',
    decoder(WIRE.Notification, (w) => ({
      type: 'notification',
      message: w.message,
      title: w.details?.title ?? null,
      kind: w.notification_type,
    })),
  ],
]);

/** What 0.61.0 says when the model said nothing. */
const NO_TEXT = '[no response text]';
