import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isObject } from '../../model/json.ts';
import { detectCommand } from '../setup/detect-command.ts';
import {
  differsFromBoth,
  entryFindings,
  foreignFindings,
  type HookConflict,
  type HookFile,
  limit,
  othersIn,
  oursIn,
  problem,
  readHookFiles,
  warning,
  when,
} from '../setup/findings.ts';
import { failClosedCommand, forwarderCommand } from '../setup/forwarder-command.ts';
import { commandOf } from '../setup/hook-groups.ts';
import { type EventEntry, type HookSettings, hookSettings, hookTimeouts } from '../setup/hook-settings.ts';
import { readSettings, SettingsDocument } from '../setup/settings-json.ts';
import { type AgentSetup, changed, type Finding, type SetupContext } from '../setup/setup.ts';
import type { NativeEvent } from './decode.ts';
import { refusals } from './encode.ts';

/** Adds one entry per event to the file that the client reads hooks from, and removes it again. */
export const setup: AgentSetup = {
  detect: (context) =>
    detectCommand(context, {
      name: 'droid',
      quiet: { FACTORY_DROID_AUTO_UPDATE_ENABLED: 'false', FACTORY_AIRGAP_ENABLED: 'true' },
      scratch: 'FACTORY_HOME_OVERRIDE',
      timeoutMs: 10_000,
    }),
  plan: (context) => [...changed(settings.plan(context)), ...removalElsewhere(context)],
  planRemoval: (context) => [...settings.planRemoval(context), ...removalElsewhere(context)],
  inspect,
};

// After a timeout the client continues without the hook.
const { APPROVAL, WORK, PROMPT, NOTE } = hookTimeouts('s');

const EVENTS: Readonly<Record<NativeEvent, EventEntry>> = {
  SessionStart: { timeout: 60 },
  UserPromptSubmit: { timeout: PROMPT },
  PreToolUse: { timeout: APPROVAL },
  PostToolUse: { timeout: WORK },
  Stop: { timeout: WORK },
  SubagentStop: { timeout: NOTE },
  PreCompact: { timeout: PROMPT },
  Notification: { timeout: NOTE },
  SessionEnd: { timeout: NOTE },
};

export const settings: HookSettings = hookSettings({
  id: 'droid',
  label: 'Droid',
  timeoutUnit: 's',
  events: EVENTS,
  refusals,
  path: hooksPath,
  // The top level of its own file is the map of events; below "hooks" nothing would run.
  root: (path) => (path.endsWith(OWN_FILE) ? [] : ['hooks']),
  handler: (context, event, { timeout }) => ({
    // An entry without a type drops the whole file (0.225.2).
    type: 'command',
    command: hookCommand(context, event),
    timeout,
  }),
  comments: () => true,
});

/** Any failure lets the call run (0.225.2), unless the user chose to fail closed. */
function hookCommand(
  { forwarder, failClosed }: Pick<SetupContext, 'forwarder' | 'failClosed'>,
  event: string,
): string {
  const closed = failClosed && Object.hasOwn(refusals, event);
  return (closed ? failClosedCommand : forwarderCommand)(forwarder, 'droid', event);
}

const OWN_FILE = 'hooks.json';

function folderIn({ env, home, cwd, scope }: Pick<SetupContext, 'env' | 'home' | 'cwd' | 'scope'>): string {
  if (scope === 'project') return join(cwd, '.factory');
  return env.FACTORY_HOME_OVERRIDE
    ? join(resolve(cwd, env.FACTORY_HOME_OVERRIDE), '.factory')
    : join(home, '.factory');
}

/** Both places of hooks in this scope. As soon as there is the first file, those in the second are switched off. */
export function placesIn(context: Parameters<typeof folderIn>[0]): {
  readonly own: string;
  readonly settings: string;
} {
  const folder = folderIn(context);
  return { own: join(folder, OWN_FILE), settings: join(folder, 'settings.json') };
}

/** The file whose hooks run: never a new one that would switch off those that the user has. */
export function hooksPath(context: SetupContext): string {
  const places = placesIn(context);
  return !existsSync(places.own) && hasHooks(places.settings) ? places.settings : places.own;
}

function hasHooks(path: string): boolean {
  const text = readSettings(path);
  if (text === null) return false;
  return new SettingsDocument(text, { path, comments: true }).get(['hooks']) !== undefined;
}

/** Entries of an earlier setup in the other file of the scope. */
function removalElsewhere(context: SetupContext) {
  const { own, settings: shared } = placesIn(context);
  const other = hooksPath(context) === own ? shared : own;
  return settings.removalFrom(other);
}

/** What is right and wrong with the settings that Droid would read in this folder. */
function inspect(context: SetupContext): readonly Finding[] {
  const scopes = (['user', 'project'] as const).map((scope) => placesIn({ ...context, scope }));
  const { files, unreadable } = readHookFiles(
    settings,
    scopes.flatMap(({ own, settings: shared }) => [own, shared]),
    { disabled: ['hooksDisabled'], all: [] },
  );
  const at = (path: string) => files.find((file) => file.path === path);
  const shadowed = scopes.flatMap(({ own, settings: shared }) => (existsSync(own) ? (at(shared) ?? []) : []));
  const read = files.filter((file) => !shadowed.includes(file));
  const target = at(hooksPathOrOwn(context));
  const ours = target === undefined ? [] : oursIn([target]);
  return [
    ...unreadable.values(),
    ...(target === undefined || ours.length === 0
      ? when(
          unreadable.size === 0,
          warning('not-set-up', 'Droid is not set up.', 'Run `hookline setup droid`.'),
        )
      : entryFindings(settings, context, {
          path: target.path,
          ours,
          differs: differsFromBoth(settings, context),
        })),
    ...read.flatMap(fileFindings),
    ...shadowed.flatMap(shadowFindings),
    ...when(
      ours.length > 0,
      limit(
        'unhooked-prompts',
        '`droid exec` and ACP ask no hook about a prompt, and nothing does about one over 128 KiB.',
      ),
    ),
    ...foreignFindings(othersIn(read), CONFLICT),
  ];
}

/** A file that cannot be read is reported by itself. */
function hooksPathOrOwn(context: SetupContext): string {
  try {
    return hooksPath(context);
  } catch {
    return placesIn(context).own;
  }
}

/** What keeps all hooks of a file from running. */
function fileFindings({ path, values }: HookFile): readonly Finding[] {
  const isOwn = path.endsWith(OWN_FILE);
  const events = isOwn ? values.all : Object(values.all).hooks;
  const broken = Object.entries(isObject(events) ? events : {}).find(
    ([event, groups]) => Object.hasOwn(EVENTS, event) && !isWellFormed(groups),
  );
  return [
    ...when(
      isOwn && values.disabled === true,
      problem(
        'hooks-disabled',
        `${path} has "hooksDisabled": true, so Droid runs no hooks.`,
        'Remove that line.',
      ),
    ),
    ...when(
      broken !== undefined,
      problem(
        'file-dropped',
        `${path} has an entry of ${broken?.[0]} that Droid does not understand, and then it runs no hook of the file.`,
        'Give each group a list "hooks", and each entry in it "type": "command" and a command.',
      ),
    ),
  ];
}

/** An entry of another shape makes the client drop the file without a message (0.225.2). */
function isWellFormed(groups: unknown): boolean {
  return (
    Array.isArray(groups) &&
    groups.every(
      (group: unknown) =>
        isObject(group) &&
        Array.isArray(group.hooks) &&
        group.hooks.every((handler: unknown) => commandOf(handler) !== null),
    )
  );
}

function shadowFindings({ path, handlers }: HookFile): readonly Finding[] {
  return when(
    handlers.length > 0,
    warning(
      'hooks-shadowed',
      `${path} has hooks, and Droid does not run them because there is a ${OWN_FILE} beside it.`,
      `Move them into ${OWN_FILE}, or remove them.`,
    ),
  );
}

/** All hooks of an event run at once, and the first in the file counts (0.225.2); a refusal of ours always does. */
const CONFLICT: HookConflict = {
  events: ['PreToolUse'],
  loss: (events) =>
    `On ${events} the first decision and the first changed arguments count. An "allow" of another hook counts if Hookline makes no decision, and its arguments aren't checked.`,
  fix: 'Move theirs into Hookline with `hookline import`, so that one entry answers for all of them.',
};
