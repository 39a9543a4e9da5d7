import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import type { HookEvent } from '../../model/events.ts';
import { detectCommand } from '../setup/detect-command.ts';
import { failClosedCommand, forwarderCommand } from '../setup/forwarder-command.ts';
import { listHandlers } from '../setup/hook-groups.ts';
import {
  type EventEntry,
  type HookSettings,
  type HooksEdit,
  hookSettings,
  hookTimeouts,
} from '../setup/hook-settings.ts';
import { readSettings, SettingsDocument, unreadable } from '../setup/settings-json.ts';
import { type AgentSetup, changed, type FileEdit, type SetupContext } from '../setup/setup.ts';
import { asksApproval } from './app-server/index.ts';
import type { NativeEvent } from './decode.ts';
import { refusals } from './encode.ts';
import { withTrust } from './trust.ts';

/**
 * Adds one entry per event to hooks.json, and to the user's config.toml that these entries are trusted, and removes
 * exactly those again. Only the user can trust: agreeing to the plan, which shows both files, is how they do it.
 */
export const setup: Omit<AgentSetup, 'inspect'> = {
  detect: (context) => detectCommand(context, { name: 'codex', quiet: {} }),

  plan(context) {
    const path = hooksPath(context);
    const before = readSettings(path);
    if (before !== null) assertReadable(before, path);
    const edit = settings.plan(context);
    return [...changed(edit), ...trustEdit(context, edit)];
  },

  planRemoval(context) {
    // The file that was made last goes first, so that the folder is empty when the other one goes.
    return settings
      .planRemoval(context)
      .flatMap((edit) => [...trustEdit(context, { ...edit, original: edit.after }), edit]);
  },
};

function trustEdit(context: SetupContext, { path, before, after, original }: HooksEdit): readonly FileEdit[] {
  const file = configPath(context);
  const config = readSettings(file);
  const placed = (text: string | null) => (text === null ? [] : listHandlers(text, settings.groups(path)));
  const trusted = (text: string | null) =>
    withTrust(config ?? '', file, { path, before: placed(before), after: placed(text) });
  // Without trust settings, no file is created.
  if (config === null) return changed({ path: file, before: null, after: trusted(after) || null });
  return changed({ path: file, before: config, after: trusted(after), original: trusted(original) });
}

// In seconds, as the client counts (0.166.0), which has the same default for work.
const { APPROVAL, WORK } = hookTimeouts('s');
// The user looks at a screen that does not move until we answer, or nothing is done with the answer.
const NOTE = 30;
// All that the client gives on these events: it cuts more down to this, with a warning.
const MOST = 3;

/** Every event of the client. */
export const EVENTS: Readonly<Record<NativeEvent, EventEntry>> = {
  SessionStart: { timeout: 60 },
  UserPromptSubmit: { timeout: NOTE },
  PreModelRequest: { timeout: NOTE },
  PostModelRequest: { timeout: NOTE },
  PreToolUse: { timeout: APPROVAL },
  PermissionRequest: { timeout: APPROVAL },
  PostToolUse: { timeout: WORK },
  PreCompact: { timeout: NOTE },
  PostCompact: { timeout: NOTE },
  SubagentStart: { timeout: NOTE },
  SubagentStop: { timeout: WORK },
  Stop: { timeout: WORK },
  Interrupt: { timeout: MOST },
  SessionEnd: { timeout: MOST },
};

export const settings: HookSettings = hookSettings({
  id: 'codex',
  label: 'Codex',
  timeoutUnit: 's',
  events: EVENTS,
  refusals,
  path: hooksPath,
  handler: ({ failClosed, forwarder }, event, { timeout }) => {
    // Any other failure than a refusal lets the tool run (0.166.0).
    const closed = failClosed && Object.hasOwn(refusals, event);
    const command = (closed ? failClosedCommand : forwarderCommand)(forwarder, 'codex', event);
    return { type: 'command', command, timeout };
  },
});

/**
 * How long the client waits for us. An approval of the app-server waits for whichever of its clients answers; what else
 * the server reports, under names with a slash, needs no wait.
 */
export function timeoutMs(event: Pick<HookEvent, 'nativeEvent'>): number {
  if (event.nativeEvent.includes('/')) return asksApproval(event.nativeEvent) ? APPROVAL * 1000 : 0;
  return settings.timeoutMs(event);
}

/** The file that setup puts hooks in. The client knows a hook by this very path. */
export function hooksPath(context: SetupContext): string {
  return join(context.scope === 'user' ? codexHome(context) : projectFolder(context), 'hooks.json');
}

/** The user's settings, where the client keeps which hooks are trusted, those of projects too. */
export function configPath(context: SetupContext): string {
  return join(codexHome(context), 'config.toml');
}

/** The file of each place that hooks are read from, with the settings beside it. */
export function layers(context: SetupContext): readonly { hooks: string; config: string }[] {
  const folders = new Set([codexHome(context), projectFolder(context)]);
  return [...folders].map((folder) => ({
    hooks: join(folder, 'hooks.json'),
    config: join(folder, 'config.toml'),
  }));
}

function projectFolder({ cwd }: SetupContext): string {
  return join(cwd, '.codex');
}

function codexHome({ env, home, cwd }: SetupContext): string {
  const folder = env.CODEX_HOME;
  if (!folder) return join(home, '.codex');
  const path = resolve(cwd, folder);
  try {
    // The client follows links in this variable, but not in the default (0.166.0, tried).
    return realpathSync(path);
  } catch {
    return path;
  }
}

const seconds = v.nullish(v.pipe(v.number(), v.integer(), v.minValue(0)));
const text = v.nullish(v.string());
const handler = v.variant('type', [
  v.looseObject({
    type: v.literal('command'),
    command: v.string(),
    timeout: seconds,
    async: v.optional(v.boolean()),
    statusMessage: text,
    additionalContextLimit: seconds,
    commandWindows: text,
  }),
  v.looseObject({ type: v.literal('mcp_tool'), server: v.string(), tool: v.string(), timeout: seconds }),
  v.looseObject({ type: v.literal('prompt') }),
  v.looseObject({ type: v.literal('agent') }),
]);
const groups = v.array(v.looseObject({ matcher: text, hooks: v.optional(v.array(handler), []) }));

/** The whole file is dropped for one entry that is not of this shape. Events of other versions are let through. */
const hooksFile = v.strictObject({
  description: text,
  hooks: v.optional(
    v.looseObject(Object.fromEntries(Object.keys(EVENTS).map((event) => [event, v.optional(groups)]))),
  ),
});

/** The places for which the client would drop the whole file. The values are left out: they may be secrets. */
export function fatalEntries(document: unknown): readonly string[] {
  const { issues = [] } = v.safeParse(hooksFile, document);
  return issues.map((issue) => v.getDotPath(issue) ?? 'the file');
}

/** Throws SETTINGS_UNREADABLE for a file that the client would not read: an entry in it would never run. */
export function assertReadable(content: string, path: string): void {
  if (content.startsWith('\uFEFF'))
    throw unreadable(path, 'begins with a byte order mark, which Codex rejects');
  if (content.trim() === '') return;
  const [place] = fatalEntries(new SettingsDocument(content, { path }).get([]));
  if (place !== undefined) throw unreadable(path, `has something that Codex rejects (${place})`);
}
