import type * as v from 'valibot';
import { DecodeError, type PartlyDecoded } from '../../model/errors.ts';
import { eventBase } from '../../model/event-base.ts';
import type { EventBase, HookEvent } from '../../model/events.ts';
import { isObject } from '../../model/json.ts';
import type { NativeCall } from '../../model/native.ts';
import { type OwnFields, readWire } from './decoding.ts';
import { textAt } from './loose-json.ts';

/** The fields of every payload of the clients that name an event by `hook_event_name`. */
interface PayloadWire {
  readonly session_id: string;
  readonly cwd?: string | null | undefined;
  readonly transcript_path?: string | null | undefined;
}

/** Reads the payload of one event. */
type PayloadDecoder = (call: NativeCall, name: string) => HookEvent;

/** What differs between these clients. */
interface PayloadClient<W extends PayloadWire> {
  readonly source: string;
  readonly label: string;
  /** The fields of all events that each client sends in its own way. */
  common(
    wire: W,
    name: string,
    env: NativeCall['env'],
  ): Pick<EventBase, 'permissionMode' | 'agentId' | 'metadata'> & {
    /** When it happened, as the client gives it. */
    readonly sentAt?: string | null | undefined;
  };
}

/** Makes the rows of a client's event table: the schema of a payload, and the event fields it becomes. */
export function payloadRows<W extends PayloadWire>({ source, label, common }: PayloadClient<W>) {
  return <S extends v.GenericSchema<unknown, W>>(
    schema: S,
    fields: (wire: v.InferOutput<S>) => OwnFields,
  ): PayloadDecoder =>
    (call, name) => {
      const { payload } = call;
      const known = knownOf(payload, name);
      if (!isObject(payload)) throw new DecodeError(`${label} sent ${name} without a JSON object`, { known });
      const wire = readWire(schema, payload, `${label} sent ${name}`, known);
      const { permissionMode, agentId, metadata, sentAt } = common(wire, name, call.env);
      const base = eventBase({
        id: call.id,
        source,
        nativeEvent: name,
        sessionId: wire.session_id,
        timestamp: momentOf(sentAt, call.receivedAt),
        receivedAt: call.receivedAt,
        cwd: wire.cwd || null,
        ...identityIn(payload),
        transcriptPath: wire.transcript_path || null,
        permissionMode,
        agentId,
        native: payload,
        metadata,
      });
      return Object.assign(base, fields(wire));
    };
}

/** Not sent by the clients: a dispatcher script that knows better than we do adds them. */
function identityIn(payload: Readonly<Record<string, unknown>>) {
  return {
    machineId: textAt(payload, 'machine_id') || null,
    userId: textAt(payload, 'user_id') || null,
    projectId: textAt(payload, 'project_id') || null,
    workflowId: textAt(payload, 'workflow_id') || null,
  };
}

/** A time that is further ahead of ours is not a time. */
const AHEAD_MS = 5 * 60_000;

function momentOf(sentAt: string | null | undefined, receivedAt: number): number {
  const ms = Date.parse(sentAt ?? '');
  return ms > 0 && ms <= receivedAt + AHEAD_MS ? ms : receivedAt;
}

/** What is known of a call even if the rest of it is not as it should be. */
function knownOf(payload: unknown, nativeEvent: string): PartlyDecoded {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  if (!isObject(payload)) return { nativeEvent, sessionId: null, cwd: null };
  return { nativeEvent, sessionId: text(payload.session_id), cwd: text(payload.cwd) };
}

interface PayloadTable<N extends string> {
  readonly label: string;
  /** One row for each event of the client, by its native name. */
  readonly events: Readonly<Record<N, PayloadDecoder>>;
  /** For an event that the table does not have. */
  readonly unknown: PayloadDecoder;
  /** Other spellings of an event's name that wrappers of the client use. */
  spellings?(name: string): readonly string[];
}

/** A client's event table, ready for use. */
export interface HookPayloads<N extends string> {
  /** Every event of the client, in its own spelling. */
  readonly names: readonly string[];
  isName(name: string): name is N;
  /** The event a call is about. A name that the client does not have stays as it is; null where there is none. */
  nameOf(call: Pick<NativeCall, 'event' | 'payload'>): string | null;
  /** Throws only DecodeError. */
  decode(call: NativeCall): HookEvent;
}

export function hookPayloads<N extends string>(table: PayloadTable<N>): HookPayloads<N> {
  const { label, events, unknown, spellings = () => [] } = table;
  const names = Object.keys(events);
  const spelled = new Map(names.flatMap((name) => [name, ...spellings(name)].map((word) => [word, name])));
  const isName = (name: string): name is N => Object.hasOwn(events, name);
  const nameOf: HookPayloads<N>['nameOf'] = (call) => {
    const name = payloadEventName(call);
    return name === null ? null : (spelled.get(name) ?? name);
  };
  return {
    names,
    isName,
    nameOf,
    decode(call) {
      const name = nameOf(call);
      if (name === null) {
        const known = knownOf(call.payload, '');
        throw new DecodeError(`${label} sent a payload that does not name its event`, { known });
      }
      return (isName(name) ? events[name] : unknown)(call, name);
    },
  };
}

/** The payload's own word comes before the caller's. */
function payloadEventName({ event, payload }: Pick<NativeCall, 'event' | 'payload'>): string | null {
  const own = isObject(payload) ? payload.hook_event_name : undefined;
  const name = typeof own === 'string' && own !== '' ? own : event;
  return name === '' ? null : name;
}

/** `SomeEvent` as `some_event`, or with another separator. */
export function snakeCase(name: string, separator = '_'): string {
  return name.replace(/(?<=.)[A-Z]/g, `${separator}$&`).toLowerCase();
}
