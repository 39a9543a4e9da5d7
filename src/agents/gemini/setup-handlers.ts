import * as v from 'valibot';
import type { ForwarderCall } from '../forwarder-command.ts';
import type { HookGroups } from '../hook-groups.ts';
import { parseHookCommand } from './setup-command.ts';

const command = v.looseObject({ type: v.literal('command'), command: v.string() });

/** A handler read as one that setup wrote; null for everybody else's. */
export function ourCall(handler: unknown): ForwarderCall | null {
  return v.is(command, handler) ? parseHookCommand(handler.command) : null;
}

/** How this client's settings hold hooks. It reads comments in settings, but not in an extension's files (0.61.0). */
export function hookGroups(path: string): HookGroups {
  return {
    path,
    comments: !path.endsWith('hooks.json'),
    isOurs: (handler) => ourCall(handler) !== null,
  };
}
