import type { NativeCall } from '../agent.ts';
import { isObject } from '../loose-json.ts';
import { WIRE } from './wire.ts';

export type NativeEvent = keyof typeof WIRE;

/** Every event of the client, in its own spelling. */
export const NATIVE_EVENTS: readonly string[] = Object.keys(WIRE);

// Dispatcher scripts around this client say `pre-tool-use` where it says `PreToolUse`.
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  NATIVE_EVENTS.flatMap((name) => [
    [name, name],
    [name.replace(/(?<=.)[A-Z]/g, '-$&').toLowerCase(), name],
  ]),
);

/** The event a call is about: the payload's own word, or else the caller's. A name we do not know stays as it is. */
export function nativeEventName(call: Pick<NativeCall, 'event' | 'payload'>): string | null {
  const own = isObject(call.payload) ? call.payload.hook_event_name : undefined;
  const name = typeof own === 'string' && own !== '' ? own : call.event;
  return name === null || name === '' ? null : (SPELLINGS.get(name) ?? name);
}
