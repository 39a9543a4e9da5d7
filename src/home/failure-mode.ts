import { existsSync } from 'node:fs';
import { AGENTS } from '../agents/_registry.ts';
import type { FailureMode } from '../model/failure.ts';
import { type PlannedFile, putInPlace } from '../platform/planned-file.ts';
import { type FailureSettings, failClosedFile } from '../wire/fail-closed.ts';
import {
  type ForwarderSettings,
  forwarderSettingsFile,
  readForwarderSettings,
} from '../wire/forwarder-settings.ts';
import { RUN_VARIABLE } from '../wire/run-id.ts';
import type { HomePaths } from './paths.ts';

/** Files for forwarders, which must follow the failure mode even if nothing else of Hookline runs. */
export function forwarderFiles(
  home: string,
  settings: ForwarderSettings,
  failure: FailureMode,
): PlannedFile[] {
  return [settingsFile(home, settings, failure), markerFile(home, failure)];
}

/** Passes the failure mode to a home's forwarders, if setup installed any. */
export function keepFailureMode({ root, bin }: HomePaths, failure: FailureMode): void {
  if (!existsSync(bin)) return;
  const settings = readForwarderSettings(root);
  if (settings) putInPlace(settingsFile(root, settings, failure));
  putInPlace(markerFile(root, failure));
}

function settingsFile(
  home: string,
  { node, script, env }: ForwarderSettings,
  failure: FailureMode,
): PlannedFile {
  return {
    path: forwarderSettingsFile(home),
    // An older Hookline may have written the list.
    content: json({ node, script, env: [...new Set([...env, RUN_VARIABLE])], ...failureSettings(failure) }),
    mode: 0o644,
  };
}

function markerFile(home: string, failure: FailureMode): PlannedFile {
  return {
    path: failClosedFile(home),
    content: failure === 'closed' ? json(failureSettings(failure)) : null,
    mode: 0o644,
  };
}

function failureSettings(failure: FailureMode): FailureSettings {
  if (failure === 'open') return { failure };
  const refusals = [...AGENTS.values()].map((agent) => [agent.id, agent.refusals] as const);
  return { failure, refusals: Object.fromEntries(refusals) };
}

function json(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}
