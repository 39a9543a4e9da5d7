import { join, resolve } from 'node:path';
import { entryOf } from '../../model/lookup.ts';
import { detectCommand } from '../setup/detect-command.ts';
import {
  differsFromBoth,
  entryFindings,
  foreignFindings,
  type HookConflict,
  type HookFile,
  othersIn,
  oursIn,
  problem,
  readHookFiles,
  warning,
  when,
} from '../setup/findings.ts';
import { answeringCommand } from '../setup/forwarder-command.ts';
import { commandOf } from '../setup/hook-groups.ts';
import { type EventEntry, type HookSettings, hookSettings, hookTimeouts } from '../setup/hook-settings.ts';
import { filesIn } from '../setup/imports.ts';
import { type AgentSetup, changed, type Finding, type Scope, type SetupContext } from '../setup/setup.ts';
import type { NativeEvent } from './decode.ts';
import { NO_OPINION, REFUSALS, refusals } from './encode.ts';

/** Adds one entry per event to a file of our own, and removes it again. */
export const setup: AgentSetup = {
  detect: (context) =>
    detectCommand(context, {
      name: 'copilot',
      quiet: { COPILOT_AUTO_UPDATE: 'false', COPILOT_OFFLINE: 'true' },
      // The first start of a version unpacks it.
      timeoutMs: 20_000,
    }),
  plan: (context) => changed(settings.plan(context)),
  planRemoval: (context) => settings.planRemoval(context),
  inspect,
};

// Without one a hook has 30 s, and a hook that takes longer counts as one that has no objection (1.0.102).
const { APPROVAL, WORK, PROMPT, NOTE } = hookTimeouts('s');

/** The events of the client. None has a matcher. */
const EVENTS: Readonly<Record<NativeEvent, EventEntry>> = {
  SessionStart: { timeout: 60 },
  UserPromptSubmit: { timeout: PROMPT },
  PreToolUse: { timeout: APPROVAL },
  PermissionRequest: { timeout: APPROVAL },
  PostToolUse: { timeout: WORK },
  PostToolUseFailure: { timeout: WORK },
  Stop: { timeout: WORK },
  SubagentStart: { timeout: PROMPT },
  SubagentStop: { timeout: WORK },
  PreCompact: { timeout: NOTE },
  Notification: { timeout: NOTE },
  ErrorOccurred: { timeout: NOTE },
  SessionEnd: { timeout: NOTE },
};

export const settings: HookSettings = hookSettings({
  id: 'copilot',
  label: 'Copilot CLI',
  timeoutUnit: 's',
  events: EVENTS,
  refusals,
  path: hooksPath,
  flat: true,
  handler: (context, event, { timeout }) => ({
    type: 'command',
    command: hookCommand(context, event),
    timeout,
  }),
});

/**
 * The client takes a hook that fails for a refusal before tools, and for nothing elsewhere (1.0.102); what a failure
 * means is the user's choice.
 */
function hookCommand(
  { forwarder, failClosed }: Pick<SetupContext, 'forwarder' | 'failClosed'>,
  event: string,
): string {
  const refusal: object | undefined = failClosed ? entryOf(REFUSALS, event) : undefined;
  return answeringCommand(forwarder, 'copilot', event, refusal ?? NO_OPINION);
}

/** The folder of the user's settings and hooks. */
export function userFolder({ env, home, cwd }: Pick<SetupContext, 'env' | 'home' | 'cwd'>): string {
  return env.COPILOT_HOME ? resolve(cwd, env.COPILOT_HOME) : join(home, '.copilot');
}

/** The file that has our entries. */
export function hooksPath(context: SetupContext): string {
  return join(hookFolder(context, context.scope), 'hookline.json');
}

function hookFolder(context: SetupContext, scope: Scope): string {
  return scope === 'project' ? join(context.cwd, '.github', 'hooks') : join(userFolder(context), 'hooks');
}

interface HookPlace {
  readonly path: string;
  readonly scope: Scope;
}

/** Every file that the client reads hooks from, in its order, but those of Claude's. */
export function hookFiles(context: SetupContext): readonly HookPlace[] {
  const user = userFolder(context);
  const project = join(context.cwd, '.github', 'copilot');
  const of = (scope: Scope, paths: readonly string[]) => paths.map((path) => ({ path, scope }));
  return [
    ...of('user', filesIn([hookFolder(context, 'user')], '.json')),
    ...of('user', [join(user, 'settings.json')]),
    ...of('project', filesIn([hookFolder(context, 'project')], '.json')),
    ...of('project', [join(project, 'settings.json'), join(project, 'settings.local.json')]),
  ];
}

/** What is right and wrong with the settings that Copilot CLI would read in this folder. */
function inspect(context: SetupContext): readonly Finding[] {
  const places = hookFiles(context);
  const { files, unreadable } = readHookFiles(
    settings,
    places.map(({ path }) => path),
    { disabled: ['disableAllHooks'] },
  );
  const inUse = files.filter((file) => oursIn([file]).length > 0);
  const scopeOf = ({ path }: HookFile) => places.find((place) => place.path === path)?.scope ?? 'user';
  return [
    ...unreadable.values(),
    ...when(
      inUse.length === 0,
      warning('not-set-up', 'Copilot CLI is not set up.', 'Run `hookline setup copilot`.'),
    ),
    ...inUse.flatMap((file) => ourFindings(context, file, scopeOf(file))),
    ...reachFindings(context, inUse, new Set(inUse.map(scopeOf))),
    ...foreignFindings(othersIn(files), CONFLICT),
  ];
}

/** What keeps our entries from running, or makes them run twice. */
function reachFindings(
  context: SetupContext,
  inUse: readonly HookFile[],
  scopes: ReadonlySet<Scope>,
): readonly Finding[] {
  const twice = scopes.size === 2 || (scopes.size === 1 && callsOthers(context));
  return [
    ...inUse
      .filter(({ values }) => values.disabled === true)
      .map(({ path }) =>
        problem(
          'hooks-disabled',
          `${path} has "disableAllHooks": true, so Copilot CLI runs none of the hooks in it.`,
          'Remove that line.',
        ),
      ),
    ...when(
      scopes.has('project') && !scopes.has('user'),
      warning(
        'needs-trust',
        'The entries are in the project, where Copilot CLI runs hooks only in a trusted directory.',
        'Run `hookline setup copilot` without --scope: entries of the user run everywhere.',
      ),
    ),
    ...when(
      twice,
      warning(
        'called-twice',
        'Hookline is in several files that Copilot CLI reads, which calls it once for each of them.',
        'Remove it in one place: `hookline remove copilot --scope project`, or `hookline remove claude --scope project`.',
      ),
    ),
  ];
}

/** The client also runs the hooks in Claude's files of a project, among which ours may be (1.0.102). */
function callsOthers(context: SetupContext): boolean {
  const paths = ['settings.json', 'settings.local.json'].map((name) => join(context.cwd, '.claude', name));
  const commands = othersIn(readHookFiles(settings, paths).files).map(
    ({ handler }) => commandOf(handler) ?? '',
  );
  return commands.some((command) => /\bhookline-forward|\bforward\.js claude\b/.test(command));
}

function ourFindings(context: SetupContext, file: HookFile, scope: Scope): readonly Finding[] {
  return entryFindings(settings, context, {
    path: file.path,
    ours: oursIn([file]),
    setupArguments: scope === 'user' ? 'copilot' : `copilot --scope ${scope}`,
    differs: differsFromBoth(settings, context),
  });
}

/** Hooks run one after the other, each with the arguments that those before it have changed (1.0.102). */
const CONFLICT: HookConflict = {
  order: 'before or after',
  events: ['PreToolUse'],
  loss: (events) => `On ${events} a hook that runs after ours may change the arguments after our decision.`,
  fix: 'Move theirs into Hookline with `hookline import`, so that one entry answers for all of them.',
};
