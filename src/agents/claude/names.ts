import { payloadEventName } from '../_families/hook-payloads.ts';
import type { NativeCall } from '../agent.ts';
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
  const name = payloadEventName(call);
  return name === null ? null : (SPELLINGS.get(name) ?? name);
}
