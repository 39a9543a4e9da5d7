import { type ForwarderCall, forwarderCommand, parseForwarderCommand } from '../forwarder-command.ts';

/** How a failing forwarder is to be met, and by which shell it is called. */
export interface CommandOptions {
  readonly failClosed: boolean;
  readonly platform: NodeJS.Platform;
}

/**
 * The command line of one event. 0.61.0 takes any failure with a text for a refusal, also "No such file or directory":
 * without a forwarder neither prompts nor tools would get through. That is what a user wants who chose to fail closed;
 * for the others the call is skipped when there is nothing to call.
 */
export function hookCommand(forwarder: string, event: string, options: CommandOptions): string {
  const command = forwarderCommand(forwarder, 'gemini', event);
  // Its shell there is PowerShell, for which a quoted path alone is a text.
  if (options.platform === 'win32') return `& ${command}`;
  if (options.failClosed) return command;
  const [, program = ''] = /^(?:node )?('(?:[^']|'\\'')*'|\S+)/.exec(command) ?? [];
  return `[ ! -e ${program} ] || ${command}`;
}

/** Reads a command line as one that setup wrote; null for everybody else's. */
export function parseHookCommand(command: string): ForwarderCall | null {
  const bare = command.replace(/^(?:& |\[ ! -e (?:'(?:[^']|'\\'')*'|[^\s'])+ \] \|\| )/, '');
  return parseForwarderCommand(bare, 'gemini');
}
