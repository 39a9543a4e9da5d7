import { payloadEventName } from '../_families/hook-payloads.ts';
import type { NativeCall } from '../agent.ts';
import { NATIVE_EVENTS } from './wire.ts';

// Dispatcher scripts say `pre-tool-use`, and the client itself says `pre_tool_use` in its own settings.
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  NATIVE_EVENTS.flatMap((name) => [
    [name, name],
    [snakeCase(name), name],
    [snakeCase(name).replaceAll('_', '-'), name],
  ]),
);

/** The event a call is about: the payload's own word, or else the caller's. A name we do not know stays as it is. */
export function nativeEventName(call: Pick<NativeCall, 'event' | 'payload'>): string | null {
  const name = payloadEventName(call);
  return name === null ? null : (SPELLINGS.get(name) ?? name);
}

/** `PreToolUse` as `pre_tool_use`: how the client writes the event where it keeps trust in hooks. */
export function snakeCase(name: string): string {
  return name.replace(/(?<=.)[A-Z]/g, '_$&').toLowerCase();
}
