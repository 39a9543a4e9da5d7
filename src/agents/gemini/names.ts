import type { NativeCall } from '../agent.ts';
import { isObject } from '../loose-json.ts';
import { type NativeEvent, WIRE } from './wire.ts';

/** Every event of the client, in its own spelling. */
export const NATIVE_EVENTS: readonly string[] = Object.keys(WIRE);

/** The event a call is about: the payload's own word, or else the caller's. */
export function nativeEventName(call: Pick<NativeCall, 'event' | 'payload'>): string | null {
  const own = isObject(call.payload) ? call.payload.hook_event_name : undefined;
  const name = typeof own === 'string' && own !== '' ? own : call.event;
  return name === '' ? null : name;
}

export function isNativeEvent(name: string): name is NativeEvent {
  return Object.hasOwn(WIRE, name);
}
