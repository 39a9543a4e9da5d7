import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { detectCommand } from '../setup/detect-command.ts';
import { limit, problem, readHookFiles, targetFindings, warning, when } from '../setup/findings.ts';
import { failClosedCommand, forwarderCommand } from '../setup/forwarder-command.ts';
import { type EventEntry, type HookSettings, hookSettings, hookTimeouts } from '../setup/hook-settings.ts';
import { readSettings } from '../setup/settings-json.ts';
import { type AgentSetup, changed, type Finding, type SetupContext } from '../setup/setup.ts';
import type { NativeEvent } from './decode.ts';
import { refusals } from './encode.ts';

/** Adds one entry per event to a file of our own among the client's hooks, and removes it again. */
export const setup: AgentSetup = {
  detect: (context) =>
    detectCommand(context, { name: 'grok', quiet: { GROK_TELEMETRY: '0' }, timeoutMs: 10_000 }),
  plan: (context) => changed(settings.plan(context)),
  planRemoval: (context) => settings.planRemoval(context),
  inspect(context) {
    const path = hooksPath(context);
    const read = readHookFiles(settings, [path]);
    return [
      ...read.unreadable.values(),
      ...targetFindings(settings, context, read, { path }),
      ...reachFindings(context),
      ...trustFindings(context),
    ];
  },
};

// Without a number the client waits for 5 s, then continues without the hook (1.0.41).
const { APPROVAL, WORK, PROMPT, NOTE } = hookTimeouts('s');

const EVENTS: Readonly<Record<NativeEvent, EventEntry>> = {
  SessionStart: { timeout: 60 },
  UserPromptSubmit: { timeout: PROMPT, guard: true },
  PreToolUse: { timeout: APPROVAL, guard: true },
  PermissionDenied: { timeout: NOTE },
  PostToolUse: { timeout: WORK },
  PostToolUseFailure: { timeout: WORK },
  Stop: { timeout: WORK },
  StopFailure: { timeout: NOTE },
  StopCancelled: { timeout: NOTE },
  Notification: { timeout: NOTE },
  SubagentStart: { timeout: NOTE },
  SubagentStop: { timeout: WORK },
  PreCompact: { timeout: NOTE },
  PostCompact: { timeout: NOTE },
  SessionEnd: { timeout: NOTE },
};

export const settings: HookSettings = hookSettings({
  id: 'grok',
  label: 'Grok',
  timeoutUnit: 's',
  events: EVENTS,
  refusals,
  path: hooksPath,
  handler: (context, event, { timeout }) => ({
    // An entry without a type is dropped (1.0.41).
    type: 'command',
    command: hookCommand(context, event),
    timeout,
  }),
});

/** Any failure lets the call run (1.0.41), unless the user chose to fail closed. */
function hookCommand(
  { forwarder, failClosed }: Pick<SetupContext, 'forwarder' | 'failClosed'>,
  event: string,
): string {
  const closed = failClosed && Object.hasOwn(refusals, event);
  return (closed ? failClosedCommand : forwarderCommand)(forwarder, 'grok', event);
}

function folderIn({ env, home, cwd, scope }: SetupContext): string {
  if (scope === 'project') return join(cwd, '.grok');
  return env.GROK_HOME ? resolve(cwd, env.GROK_HOME) : join(home, '.grok');
}

/** A file of our own: the client reads all that are in the folder. */
export function hooksPath(context: SetupContext): string {
  return join(folderIn(context), 'hooks', 'hookline.json');
}

/** What switches hooks off. The files are TOML, of which one line each counts. */
function reachFindings(context: SetupContext): readonly Finding[] {
  const managed = ['/etc/grok/requirements.toml', '/etc/grok/managed_config.toml'].filter((path) =>
    /^\s*allow_managed_hooks_only\s*=\s*true/m.test(readSettings(path) ?? ''),
  );
  const disabled = join(folderIn({ ...context, scope: 'user' }), 'disabled-hooks');
  return [
    ...managed.map((path) =>
      problem(
        'hooks-disabled',
        `${path} has allow_managed_hooks_only, so Grok runs no hooks of yours.`,
        'Ask the administrator of this machine.',
      ),
    ),
    ...when(
      existsSync(disabled) && (readSettings(disabled) ?? '').includes('hookline'),
      problem('hooks-disabled', `${disabled} names Hookline’s hooks.`, 'Remove that line.'),
    ),
    ...when(
      existsSync(hooksPath(context)),
      limit('large-arguments', 'Grok cuts the arguments of a call at 128 KiB: a larger call is denied.'),
    ),
  ];
}

function trustFindings(context: SetupContext): readonly Finding[] {
  return when(
    existsSync(hooksPath({ ...context, scope: 'project' })),
    warning(
      'needs-trust',
      'The entries are in .grok of this directory, which Grok ignores outside a trusted git repository.',
      'Run `hookline setup grok` without --scope: those entries always count.',
    ),
  );
}
