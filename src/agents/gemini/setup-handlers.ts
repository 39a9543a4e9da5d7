import type { ForwarderCall } from '../forwarder-command.ts';
import { commandOf, type HookGroups } from '../hook-groups.ts';
import { parseHookCommand } from './setup-command.ts';

/** A handler read as one that setup wrote; null for everybody else's. */
export function ourCall(handler: unknown): ForwarderCall | null {
  const command = commandOf(handler);
  return command === null ? null : parseHookCommand(command);
}

/** How this client's settings hold hooks. It reads comments in settings, but not in an extension's files (0.61.0). */
export function hookGroups(path: string): HookGroups {
  return {
    path,
    comments: !path.endsWith('hooks.json'),
    isOurs: (handler) => ourCall(handler) !== null,
  };
}
