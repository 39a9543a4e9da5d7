import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { detectCommand } from '../setup/detect-command.ts';
import { forwarderCommand } from '../setup/forwarder-command.ts';
import { type EventEntry, type HookSettings, hookSettings, hookTimeouts } from '../setup/hook-settings.ts';
import { readSettings } from '../setup/settings-json.ts';
import { type AgentSetup, changed, type SetupContext } from '../setup/setup.ts';
import type { NativeEvent } from './decode.ts';
import { refusals } from './encode.ts';
import { statusLineSession, withoutStatusLine, withStatusLine } from './status-line.ts';

/** Adds one entry per event to Claude Code's settings, and removes exactly those again. */
export const setup: Omit<AgentSetup, 'inspect'> = {
  detect: (context) =>
    detectCommand(context, {
      name: 'claude',
      quiet: {
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        DISABLE_TELEMETRY: '1',
        DISABLE_ERROR_REPORTING: '1',
      },
    }),
  statusLineSession,
  plan(context) {
    // A project's settings are shared, and others have Hookline elsewhere.
    const command = context.scope === 'user' ? context.statusLine : undefined;
    if (context.wrapped && command === undefined) return [];
    const { original, ...edit } = settings.plan(context);
    const options = settings.groups(edit.path);
    return changed({
      ...edit,
      after: withStatusLine(edit.after, command, options),
      original: original === null ? null : withoutStatusLine(original, options),
    });
  },
  planRemoval(context) {
    const path = settingsPath(context);
    const before = readSettings(path);
    if (before === null) return [];
    const [edit] = settings.planRemoval(context);
    return changed({ path, before, after: withoutStatusLine(edit?.after ?? before, settings.groups(path)) });
  },
};

// In seconds, as the client counts (2.1.325), which has the same defaults for work and prompts.
const { APPROVAL, WORK, PROMPT } = hookTimeouts('s');
// Nothing waits for the answer, or nothing is done with it.
const NOTE = 30;

/**
 * Every event of the client. `onFailure` is not honoured on Stop, SubagentStop, TaskCompleted and TeammateIdle
 * (2.1.325). Two more events can block but are not guards: a broken forwarder on PreCompact would leave a session stuck
 * with a full context, and on ConfigChange it would refuse the very edit of the settings that removes it.
 */
export const EVENTS: Readonly<Record<NativeEvent, EventEntry>> = {
  Setup: { timeout: WORK },
  SessionStart: { timeout: 60 },
  UserPromptSubmit: { timeout: PROMPT, guard: true },
  UserPromptExpansion: { timeout: PROMPT, guard: true },
  PreToolUse: { timeout: APPROVAL, guard: true },
  PermissionRequest: { timeout: APPROVAL, guard: true },
  PermissionDenied: { timeout: PROMPT },
  PostToolUse: { timeout: WORK },
  PostToolUseFailure: { timeout: WORK },
  PostToolBatch: { timeout: WORK },
  Stop: { timeout: WORK },
  StopFailure: { timeout: NOTE },
  SubagentStart: { timeout: PROMPT },
  SubagentStop: { timeout: WORK },
  TaskCreated: { timeout: WORK },
  TaskCompleted: { timeout: WORK },
  TeammateIdle: { timeout: WORK },
  PreCompact: { timeout: PROMPT },
  PostCompact: { timeout: NOTE },
  PreModelSwitch: { timeout: PROMPT, guard: true },
  PostModelSwitch: { timeout: PROMPT },
  Notification: { timeout: NOTE },
  Elicitation: { timeout: APPROVAL, guard: true },
  ElicitationResult: { timeout: PROMPT, guard: true },
  ConfigChange: { timeout: PROMPT },
  InstructionsLoaded: { timeout: NOTE },
  CwdChanged: { timeout: NOTE },
  DirectoryAdded: { timeout: NOTE },
  WorktreeRemove: { timeout: NOTE },
  // Without a timeout of its own a hook has a share of 1.5 s here and is then killed.
  SessionEnd: { timeout: 10 },
  // Needs a list of files to watch; without one it never fires.
  FileChanged: { timeout: NOTE, optIn: true },
  // Fires for every few lines of output and can change the result of `claude -p`.
  MessageDisplay: { timeout: 10, optIn: true },
  // Having a hook here means having to make the worktree: any failure fails its creation.
  WorktreeCreate: { timeout: WORK, optIn: true },
};

export const settings: HookSettings = hookSettings({
  id: 'claude',
  label: 'Claude Code',
  timeoutUnit: 's',
  events: EVENTS,
  refusals,
  path: settingsPath,
  handler: ({ forwarder, failClosed }, event, { timeout, guard }) => ({
    type: 'command',
    command: forwarderCommand(forwarder, 'claude', event),
    timeout,
    ...(guard && failClosed ? { onFailure: 'block' } : {}),
  }),
});

/** The file that setup edits. */
export function settingsPath(context: SetupContext): string {
  return context.scope === 'user' ? userSettings(context) : join(context.cwd, '.claude', 'settings.json');
}

interface SettingsFile {
  readonly path: string;
  readonly managed: boolean;
}

/** Every file that the client reads settings from in this project; hooks of all of them run. */
export function allSettings(context: SetupContext, managedDir: string): readonly SettingsFile[] {
  const own = [
    userSettings(context),
    join(context.cwd, '.claude', 'settings.json'),
    join(context.cwd, '.claude', 'settings.local.json'),
  ];
  const managed = [
    join(managedDir, 'managed-settings.json'),
    ...dropIns(join(managedDir, 'managed-settings.d')),
  ];
  return [
    // In the home folder the first two are the same file.
    ...[...new Set(own)].map((path) => ({ path, managed: false })),
    ...managed.map((path) => ({ path, managed: true })),
  ];
}

/** Where an administrator's settings are. */
export function managedFolder(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return '/Library/Application Support/ClaudeCode';
  if (platform === 'win32') return 'C:\\Program Files\\ClaudeCode';
  return '/etc/claude-code';
}

function userSettings({ env, home, cwd }: SetupContext): string {
  const folder = env.CLAUDE_CONFIG_DIR;
  return join(folder ? resolve(cwd, folder) : join(home, '.claude'), 'settings.json');
}

function dropIns(folder: string): string[] {
  try {
    // The client reads these and no others (2.1.325).
    const names = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.startsWith('.'));
    return names.sort().map((name) => join(folder, name));
  } catch {
    return [];
  }
}
