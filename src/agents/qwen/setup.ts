import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { detectCommand } from '../kit/detect-command.ts';
import { EXTENSION, type Extension, extension } from '../kit/extension.ts';
import { failClosedCommand, forwarderCommand } from '../kit/forwarder-command.ts';
import { type EventEntry, type HookSettings, hookSettings } from '../kit/hook-settings.ts';
import { type AgentSetup, changed, type Finding, type Scope, type SetupContext } from '../kit/setup.ts';
import {
  bySetup,
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
} from '../kit/setup-findings.ts';
import type { NativeEvent } from './decode.ts';
import { refusals } from './encode.ts';

/**
 * Adds one entry per event to an extension of our own, and removes it again. An extension, because in a folder that is
 * not trusted 0.24.4 runs no hook from a project's settings.
 */
export const setup: AgentSetup = {
  scopes: ['extension', 'user', 'project'],
  detect: (context) =>
    detectCommand(context, { name: 'qwen', quiet: { QWEN_CODE_NO_RELAUNCH: 'true' }, timeoutMs: 10_000 }),
  plan: (context) => [...ours.manifestEdit(context), ...changed(settings.plan(context))],
  planRemoval: (context) => ours.removal(context, settings.planRemoval(context)),
  inspect,
};

// In milliseconds: 0.24.4 takes a number under 1000 for seconds, and any other for milliseconds.
// An approval may take a night. This is only the ceiling: the forwarder gives up after seconds unless the daemon asks
// it to wait, and it waits for a day at most. On a timeout the client goes on as if nobody had objected.
const APPROVAL = 86_400_000;
// Users' own hooks do real work here: tests before a stop, formatters after an edit.
const WORK = 600_000;
// Somebody looks at a screen that does not move until we answer.
const PROMPT = 30_000;
// Nothing is done with the answer.
const NOTE = 10_000;

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

/** Any failure lets the call run (0.24.4), unless the user chose to fail closed. A dialog is left to the user. */
function hookCommand(
  { forwarder, failClosed }: Pick<SetupContext, 'forwarder' | 'failClosed'>,
  event: string,
) {
  const closed = failClosed && event !== 'PermissionRequest' && Object.hasOwn(refusals, event);
  return (closed ? failClosedCommand : forwarderCommand)(forwarder, 'qwen', event);
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

/** What is right and wrong with the settings that Qwen Code would read in this folder. */
function inspect(context: SetupContext): readonly Finding[] {
  const scopes = new Map<string, Scope | null>([['/etc/qwen-code/settings.json', null]]);
  for (const scope of ['project', 'user', 'extension'] as const)
    scopes.set(hooksPath({ ...context, scope }), scope);
  const { files, unreadable } = readHookFiles(settings, [...scopes.keys()], {
    disabled: ['disableAllHooks'],
    folderTrust: ['security', 'folderTrust', 'enabled'],
  });
  const inUse = files.filter((file) => oursIn([file]).length > 0);
  return [
    ...unreadable.values(),
    ...when(
      inUse.length === 0,
      warning('not-set-up', 'Qwen Code has no entries of Hookline.', 'Run `hookline setup qwen`.'),
    ),
    ...inUse.flatMap((file) => ourFindings(context, file, scopes.get(file.path) ?? null)),
    ...reachFindings(context, files, new Set(inUse.map(({ path }) => scopes.get(path)))),
    ...foreignFindings(othersIn(files), CONFLICT),
  ];
}

/** What keeps our entries from running. */
function reachFindings(
  context: SetupContext,
  files: readonly HookFile[],
  inUse: ReadonlySet<Scope | null | undefined>,
): readonly Finding[] {
  return [
    ...when(
      inUse.has('extension') && !existsSync(ours.manifestPath(context)),
      bySetup(
        problem(
          'extension-incomplete',
          `${ours.manifestPath(context)} is missing, without which Qwen Code does not load the extension ${EXTENSION}.`,
          'Run `hookline setup qwen` again.',
        ),
      ),
    ),
    ...when(
      inUse.has('project') &&
        !inUse.has('extension') &&
        files.some(({ values }) => values.folderTrust === true),
      warning(
        'needs-trust',
        'The entries are in project settings, which Qwen Code ignores in folders that are not trusted.',
        'Run `hookline setup qwen` without --scope: an extension also works there.',
      ),
    ),
    ...files.flatMap(({ path, values }) =>
      when(
        values.disabled === true,
        problem(
          'hooks-disabled',
          `${path} has "disableAllHooks": true, so Qwen Code runs no hooks.`,
          'Remove that line, or ask whoever administers this machine.',
        ),
      ),
    ),
    ...when(
      inUse.size > 0,
      limit('safe-mode', '`qwen --safe-mode` and `qwen --bare` run no hooks: nothing there is guarded.'),
    ),
  ];
}

function ourFindings(context: SetupContext, file: HookFile, scope: Scope | null): readonly Finding[] {
  return entryFindings(settings, context, {
    path: file.path,
    ours: oursIn([file]),
    setupArguments: scope === 'extension' ? 'qwen' : `qwen --scope ${scope}`,
    // Whether a failure refuses was the user's choice at setup, which is not known here.
    differs: ({ event, handler }, wanted) =>
      [true, false].every((failClosed) => {
        const command = hookCommand({ forwarder: context.forwarder, failClosed }, event);
        return !isDeepStrictEqual(handler, { ...wanted, command });
      }),
  });
}

/** All hooks of an event run at once, and the last decision wins (0.24.4). */
const CONFLICT: HookConflict = {
  events: ['PreToolUse', 'PermissionRequest'],
  loss: (events) => `On ${events} the last decision wins: an "allow" of theirs cancels a refusal of ours.`,
  fix: 'Move theirs into Hookline with `hookline import`, so that one entry answers for all.',
};
