import * as v from 'valibot';
import { DecodeError } from '../../model/errors.ts';
import type { EventBase, EventOf, EventType, HookEvent } from '../../model/events.ts';
import type { NativeCall } from '../agent.ts';
import { isObject } from '../loose-json.ts';
import { metadataOf } from './metadata.ts';
import { nativeEventName } from './names.ts';
import { toolCall, toolResult } from './tools.ts';
import { type NativeEvent, unknownWire, WIRE } from './wire.ts';

type Own = { [T in EventType]: Omit<EventOf<T>, keyof EventBase> }[EventType];
type Decoder = (call: NativeCall, name: string) => HookEvent;
type Wire = v.InferOutput<typeof unknownWire>;

/** Turns one call into the event it means. Throws only DecodeError. */
export function decode(call: NativeCall): HookEvent {
  const name = nativeEventName(call);
  if (name === null) throw new DecodeError('Gemini CLI sent a payload that does not name its event');
  return (DECODERS.get(name) ?? decodeUnknown)(call, name);
}

function decoder<S extends v.GenericSchema<unknown, Wire>>(
  schema: S,
  fields: (wire: v.InferOutput<S>) => Own,
): Decoder {
  return (call, name) => {
    const wire = parse(schema, call.payload, name);
    return Object.assign(baseOf(call, name, wire), fields(wire));
  };
}

const decodeUnknown = decoder(unknownWire, () => ({ type: 'unknown', problem: null }));

const DECODERS: ReadonlyMap<string, Decoder> = new Map<NativeEvent, Decoder>([
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

function baseOf(call: NativeCall, name: string, wire: Wire): EventBase {
  return {
    id: call.id,
    source: 'gemini',
    nativeEvent: name,
    sessionId: wire.session_id,
    timestamp: call.receivedAt,
    cwd: wire.cwd || null,
    machineId: wire.machine_id || null,
    userId: null,
    projectId: null,
    workflowId: null,
    transcriptPath: wire.transcript_path || null,
    permissionMode: null,
    agentId: null,
    sequence: 0,
    promptNumber: 0,
    toolNumber: 0,
    native: call.payload,
    metadata: metadataOf(name, wire, call.env),
  };
}

function parse<S extends v.GenericSchema>(schema: S, payload: unknown, name: string): v.InferOutput<S> {
  if (!isObject(payload)) throw new DecodeError(`Gemini CLI sent ${name} without a JSON object`);
  const result = v.safeParse(schema, payload, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  // Never the value that was received: it may be a secret, and this text is logged.
  throw new DecodeError(
    `Gemini CLI sent ${name} with ${v.getDotPath(issue) ?? 'something'} that is not ${issue.expected ?? 'of the expected shape'}`,
  );
}
