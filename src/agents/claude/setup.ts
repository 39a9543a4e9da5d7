import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { detectCommand } from '../kit/detect-command.ts';
import { forwarderCommand } from '../kit/forwarder-command.ts';
import { commandOf, type PlacedHandler } from '../kit/hook-groups.ts';
import { type EventEntry, type HookSettings, hookSettings } from '../kit/hook-settings.ts';
import { type AgentSetup, changed, type Finding, type SetupContext } from '../kit/setup.ts';
import {
  eventsOf,
  foreignFindings,
  type HookConflict,
  type HookFile,
  othersIn,
  oursIn,
  problem,
  readHookFiles,
  targetFindings,
  warning,
  when,
} from '../kit/setup-findings.ts';
import type { NativeEvent } from './decode.ts';
import { refusals } from './encode.ts';

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
  plan: (context) => changed(settings.plan(context)),
  planRemoval: (context) => settings.planRemoval(context),
};

// In seconds, as the client counts (2.1.325).
// An approval may take a night. This is only the ceiling: the forwarder gives up after seconds unless the daemon asks
// it to wait, and it waits for a day at most.
const APPROVAL = 86_400;
// Users' own hooks do real work here (tests before a stop, formatters after an edit): the client's default.
const WORK = 600;
// Somebody looks at a screen that does not move until we answer. For prompts and model switches it is the default.
const PROMPT = 30;
// Nothing waits for the answer, or nothing is done with it.
const NOTE = 30;

/**
 * Every event of the client. `onFailure` is not honoured on Stop, SubagentStop, TaskCompleted and TeammateIdle
 * (2.1.325). Two more events can block but are no guards: a broken forwarder on PreCompact would leave a session stuck
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

const shared = {
  if: v.optional(v.string()),
  timeout: v.optional(v.pipe(v.number(), v.gtValue(0))),
  statusMessage: v.optional(v.string()),
  once: v.optional(v.boolean()),
};
const onFailure = v.optional(v.picklist(['continue', 'block']));
const flag = v.optional(v.boolean());

const validHandler = v.variant('type', [
  v.looseObject({
    ...shared,
    type: v.literal('command'),
    command: v.string(),
    args: v.optional(v.array(v.string())),
    shell: v.optional(v.picklist(['bash', 'powershell'])),
    async: flag,
    asyncRewake: flag,
    onFailure,
  }),
  v.looseObject({ ...shared, type: v.literal('http'), url: v.pipe(v.string(), v.url()), onFailure }),
  v.looseObject({ ...shared, type: v.literal('mcp_tool'), server: v.string(), tool: v.string() }),
  v.looseObject({ ...shared, type: v.literal('prompt'), prompt: v.string() }),
  v.looseObject({ ...shared, type: v.literal('agent'), prompt: v.string() }),
]);

const validGroups = v.nullable(
  v.array(v.looseObject({ matcher: v.optional(v.string()), hooks: v.array(validHandler) })),
);

/** Where one bad entry makes the client ignore the whole file, and with it every other hook (2.1.325, tried). */
const STRICT_EVENTS = ['PreToolUse', 'PermissionRequest'];

/** The places for which the client would drop the whole file. The values are left out: they may be secrets. */
export function fatalEntries(hooks: unknown): readonly string[] {
  if (!v.is(v.looseObject({}), hooks)) return [];
  return STRICT_EVENTS.flatMap((event) => {
    if (hooks[event] === undefined) return [];
    const { issues = [] } = v.safeParse(validGroups, hooks[event]);
    return issues.map((issue) => `hooks.${event}${place(issue)}`);
  });
}

function place(issue: v.BaseIssue<unknown>): string {
  return (issue.path ?? [])
    .map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('');
}

/** What is right and wrong with the settings that Claude Code would read in this folder. */
export function inspect(
  context: SetupContext,
  managedDir: string = managedFolder(process.platform),
): readonly Finding[] {
  const path = settingsPath(context);
  const managed = new Map(allSettings(context, managedDir).map((file) => [file.path, file.managed]));
  const read = readHookFiles(settings, [...managed.keys()], {
    disabled: ['disableAllHooks'],
    managedOnly: ['allowManagedHooksOnly'],
    hooks: ['hooks'],
  });
  return [
    ...read.unreadable.values(),
    ...targetFindings(settings, context, read, { path, differs }),
    ...duplicateFindings(read.files, path),
    ...read.files.flatMap((file) => fileFindings(file, managed.get(file.path) ?? false)),
    ...foreignFindings(othersIn(read.files), CONFLICT),
  ];
}

/** `onFailure` is the user's choice at setup, which is not known here. */
function differs({ handler }: PlacedHandler, wanted: object): boolean {
  const known = v.parse(v.looseObject({}), handler);
  return !isDeepStrictEqual({ ...known, onFailure: null }, { ...wanted, onFailure: null });
}

/** The client runs equal commands once, whichever files they are in; others run as often as they are there. */
function duplicateFindings(files: readonly HookFile[], target: string): readonly Finding[] {
  const all = oursIn(files);
  const others = files.filter((file) => file.path !== target && oursIn([file]).length > 0);
  const doubled = oursIn(files.filter(({ path }) => path === target)).filter((entry) =>
    all.some((other) => other.event === entry.event && commandOf(other.handler) !== commandOf(entry.handler)),
  );
  const where = others.map(({ path }) => path).join(' and ') || target;
  return when(
    doubled.length > 0,
    warning(
      'set-up-twice',
      `${where} also calls a forwarder, by another path: ${eventsOf(doubled)} arrive twice.`,
      'Run `hookline remove claude` for the scope you do not want.',
    ),
  );
}

const overAnHour = v.looseObject({ timeout: v.pipe(v.number(), v.gtValue(3600)) });

function fileFindings(file: HookFile, managed: boolean): readonly Finding[] {
  const { path, values } = file;
  const slow = othersIn([file]).filter(({ handler }) => v.is(overAnHour, handler));
  const fatal = fatalEntries(values.hooks);
  return [
    ...when(
      values.disabled === true,
      problem(
        'hooks-disabled',
        `${path} has "disableAllHooks": true, so Claude Code runs no hook of ${managed ? 'anybody' : 'yours'}.`,
        managed ? 'Ask whoever administers this machine.' : 'Remove that line.',
      ),
    ),
    ...when(
      managed && values.managedOnly === true,
      problem(
        'managed-only',
        `${path} has "allowManagedHooksOnly": true, so Claude Code runs only the hooks in managed settings.`,
        'Ask whoever administers this machine to put the entries of Hookline there.',
      ),
    ),
    ...when(
      fatal.length > 0,
      problem(
        'invalid-entries',
        `${path} has entries that Claude Code refuses (${fatal.join(', ')}). On these events it then drops the whole file, every other hook included.`,
        'Correct or remove them; `claude -p hi` complains until the file is right.',
      ),
    ),
    ...when(
      slow.length > 0,
      warning(
        'timeout-unit',
        `${path} has hooks on ${eventsOf(slow)} that may take more than an hour: the timeout was probably meant in milliseconds.`,
        'Claude Code counts in seconds: write 30 for 30 s.',
      ),
    ),
  ];
}

const CONFLICT: HookConflict = {
  events: ['PreToolUse'],
  loss: (events) =>
    `If one on ${events} rewrites the input, the last to finish wins, and our rewrite may be lost.`,
  fix: 'Let only one of them rewrite, or move theirs into Hookline with `hookline import`.',
};
