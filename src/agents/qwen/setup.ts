import { join, resolve } from 'node:path';
import { detectCommand } from '../setup/detect-command.ts';
import { EXTENSION, type Extension, extension } from '../setup/extension.ts';
import { failClosedCommand, forwarderCommand } from '../setup/forwarder-command.ts';
import { type EventEntry, type HookSettings, hookSettings, hookTimeouts } from '../setup/hook-settings.ts';
import { type AgentSetup, changed, type SetupContext } from '../setup/setup.ts';
import { type HookWrapper, hookWrapper } from '../setup/wrapper.ts';
import type { NativeEvent } from './decode.ts';
import { refusals } from './encode.ts';

/**
 * Adds one entry per event to an extension of our own, and removes it again. An extension, because in a folder that is
 * not trusted 0.24.4 runs no hook from a project's settings.
 */
export const setup: Omit<AgentSetup, 'inspect'> = {
  scopes: ['extension', 'user', 'project'],
  detect: (context) =>
    detectCommand(context, { name: 'qwen', quiet: { QWEN_CODE_NO_RELAUNCH: 'true' }, timeoutMs: 10_000 }),
  plan: (context) => ours.addition(context, () => changed(settings.plan(context))),
  planRemoval: (context) => ours.removal(context, settings.planRemoval(context)),
};

// 0.24.4 takes a number under 1000 for seconds, and any other for milliseconds. After a timeout the client continues
// without the hook.
const { APPROVAL, WORK, PROMPT, NOTE } = hookTimeouts('ms');

/** The events of the client that a fixture was captured of. None has a matcher. */
const EVENTS: Readonly<Record<NativeEvent, EventEntry>> = {
  SessionStart: { timeout: 60_000 },
  UserPromptSubmit: { timeout: PROMPT },
  UserPromptExpansion: { timeout: PROMPT },
  PermissionRequest: { timeout: APPROVAL },
  PreToolUse: { timeout: APPROVAL },
  PostToolUse: { timeout: WORK },
  PostToolUseFailure: { timeout: WORK },
  // The client gives these 15 s at most.
  PostToolBatch: { timeout: 15_000 },
  Stop: { timeout: WORK },
  SubagentStart: { timeout: NOTE },
  SubagentStop: { timeout: WORK },
  PreCompact: { timeout: PROMPT },
  Notification: { timeout: NOTE },
  SessionEnd: { timeout: NOTE },
  // One process for every file of instructions, and for every item of a list.
  InstructionsLoaded: { timeout: NOTE, optIn: true },
  TodoCreated: { timeout: PROMPT, optIn: true },
  TodoCompleted: { timeout: PROMPT, optIn: true },
  // One process for every piece of text that is shown.
  MessageDisplay: { timeout: NOTE, optIn: true },
};

export const settings: HookSettings = hookSettings({
  id: 'qwen',
  label: 'Qwen Code',
  timeoutUnit: 'ms',
  events: EVENTS,
  refusals,
  path: hooksPath,
  handler: (context, event, { timeout }) => ({
    type: 'command',
    name: 'hookline',
    command: hookCommand(context, event),
    timeout,
  }),
  // It reads comments in settings, but not in an extension's files (0.24.4).
  comments: (path) => !path.endsWith('hooks.json'),
});

/** A dialog is left to the user. */
function guards(event: string): boolean {
  return event !== 'PermissionRequest' && Object.hasOwn(refusals, event);
}

/** Any failure lets the call run (0.24.4), unless the user chose to fail closed. */
function hookCommand(
  { forwarder, failClosed }: Pick<SetupContext, 'forwarder' | 'failClosed'>,
  event: string,
) {
  return (failClosed && guards(event) ? failClosedCommand : forwarderCommand)(forwarder, 'qwen', event);
}

/** The folder of the user's settings and extensions. */
function userFolder({ env, home, cwd }: SetupContext): string {
  return env.QWEN_HOME ? resolve(cwd, env.QWEN_HOME) : join(home, '.qwen');
}

/** The folder with our hooks. */
export const ours: Extension = extension('qwen-extension.json', userFolder);

/** The file that has our entries. */
export function hooksPath(context: SetupContext): string {
  switch (context.scope) {
    case 'extension':
      return ours.hooksPath(context);
    case 'user':
      return join(userFolder(context), 'settings.json');
    case 'project':
      return join(context.cwd, '.qwen', 'settings.json');
  }
}

/** The extension that the client installs by itself: `qwen extensions install <folder>`. */
export const wrapper: HookWrapper = hookWrapper({
  settings,
  noun: 'extension',
  manifest: 'qwen-extension.json',
  // 0.24.4 replaces no other variable in the hooks of an extension.
  root: 'CLAUDE_PLUGIN_ROOT',
  update: `qwen extensions update ${EXTENSION}`,
  uninstall: `qwen extensions uninstall ${EXTENSION}`,
  guards,
  hooksPath: (context) =>
    ours.isInstalled(context) && !ours.isDisabled(context) ? ours.hooksPath(context) : null,
});
