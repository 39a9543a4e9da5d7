import { createHash } from 'node:crypto';
import { type HookEvent, isToolEvent } from '../../model/events.ts';

/** Identifies equal calls. A hash, because an argument may be a whole file. */
export function callKey(event: HookEvent): string {
  if (!isToolEvent(event)) return event.type;
  const { name, command, input } = event.tool;
  return createHash('sha256')
    .update(`${name}\0${command?.trim() ?? JSON.stringify(input)}`)
    .digest('base64');
}
