import { join } from 'node:path';
import { detectCommand } from '../setup/detect-command.ts';
import { readHookFiles, targetFindings } from '../setup/findings.ts';
import { type EventEntry, type HookSettings, hookSettings } from '../setup/hook-settings.ts';
import { type AgentSetup, changed, type SetupContext } from '../setup/setup.ts';
import type { NativeEvent } from './decode.ts';
import { refusals } from './encode.ts';

/** Adds one entry per event to the client's settings, and removes exactly those again. */
export const setup: AgentSetup = {
  // TODO(new-agent): set the variables that keep the client from updating itself while it is asked for its version
  detect: (context) => detectCommand(context, { name: 'newagent', quiet: {} }),
  plan: (context) => changed(settings.plan(context)),
  planRemoval: (context) => settings.planRemoval(context),
  // TODO(new-agent): find out what keeps hooks from running in this client: switches, trust, other files
  inspect(context) {
    const path = settingsPath(context);
    const read = readHookFiles(settings, [path]);
    return [...read.unreadable.values(), ...targetFindings(settings, context, read, { path })];
  },
};

// TODO(new-agent): give each event the time its hooks may take, in the client's unit; a day where people approve
export const EVENTS: Readonly<Record<NativeEvent, EventEntry>> = {
  SessionStart: { timeout: 60 },
  BeforeTool: { timeout: 86_400, guard: true },
  AfterTool: { timeout: 600 },
};

export const settings: HookSettings = hookSettings({
  id: 'newagent',
  label: 'New Agent',
  timeoutUnit: 's',
  events: EVENTS,
  refusals,
  path: settingsPath,
});

// TODO(new-agent): find the settings where the client reads them, honouring its own variables
export function settingsPath({ scope, home, cwd }: SetupContext): string {
  return join(scope === 'user' ? home : cwd, '.newagent', 'settings.json');
}
