import type * as v from 'valibot';
import { DecodeError } from '../../model/errors.ts';
import type { HookEvent } from '../../model/events.ts';
import type { NativeCall } from '../agent.ts';
import { eventBase, type OwnFields, readWire, type ToldFields } from '../decoding.ts';
import { isObject } from '../loose-json.ts';

/** The fields of every payload of the agents that name an event by `hook_event_name`. */
interface PayloadWire {
  readonly session_id: string;
  readonly cwd?: string | null | undefined;
  readonly transcript_path?: string | null | undefined;
}

/** What differs between these agents. */
export interface PayloadWords<W extends PayloadWire> {
  readonly source: string;
  readonly label: string;
  told(
    wire: W,
    name: string,
    call: NativeCall,
  ): Pick<ToldFields, 'machineId' | 'permissionMode' | 'agentId' | 'metadata'>;
}

export type PayloadDecoder = (call: NativeCall, name: string) => HookEvent;

/** Makes decoders: each reads a payload by a schema, and makes of it what an event has of its own. */
export function payloadDecoders<W extends PayloadWire>({ source, label, told }: PayloadWords<W>) {
  return <S extends v.GenericSchema<unknown, W>>(
    schema: S,
    fields: (wire: v.InferOutput<S>) => OwnFields,
  ): PayloadDecoder =>
    (call, name) => {
      const { payload } = call;
      if (!isObject(payload)) throw new DecodeError(`${label} sent ${name} without a JSON object`);
      const wire = readWire(schema, payload, `${label} sent ${name}`);
      const { machineId, permissionMode, agentId, metadata } = told(wire, name, call);
      const base = eventBase(call, {
        source,
        nativeEvent: name,
        sessionId: wire.session_id,
        cwd: wire.cwd || null,
        machineId,
        transcriptPath: wire.transcript_path || null,
        permissionMode,
        agentId,
        metadata,
      });
      return Object.assign(base, fields(wire));
    };
}

/** The event a call is about: the payload's own word, or else the caller's. */
export function payloadEventName({ event, payload }: Pick<NativeCall, 'event' | 'payload'>): string | null {
  const own = isObject(payload) ? payload.hook_event_name : undefined;
  const name = typeof own === 'string' && own !== '' ? own : event;
  return name === '' ? null : name;
}

/** An agent's own payload as it came, but with the arguments that hooks before this one have changed. */
export function ownPayload(event: HookEvent): Record<string, unknown> | null {
  if (!isObject(event.native)) return null;
  return 'tool' in event ? { ...event.native, tool_input: event.tool.input } : event.native;
}
