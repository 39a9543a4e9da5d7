import { type NativeEvent, WIRE } from './wire.ts';

/** Every event of the client, in its own spelling. */
export const NATIVE_EVENTS: readonly string[] = Object.keys(WIRE);

export function isNativeEvent(name: string): name is NativeEvent {
  return Object.hasOwn(WIRE, name);
}
