import { detectCommand } from '../detect-command.ts';
import { withHandlers, withoutHandlers } from '../hook-groups.ts';
import { readSettings, SettingsDocument, unreadable } from '../settings-json.ts';
import { type AgentSetup, bareOf, changed, type FileEdit, type SetupContext } from '../setup.ts';
import { wantedHandlers } from './setup-events.ts';
import { EXTENSION, hooksPath, manifestPath } from './setup-files.ts';
import { hookGroups } from './setup-handlers.ts';
import { inspectGemini } from './setup-inspect.ts';

/**
 * Puts one entry per event into an extension of our own, and takes it out again. An extension, because in a folder that
 * is not trusted 0.61.0 runs no hook from settings, not even the user's own.
 */
export const geminiSetup: AgentSetup = {
  scopes: ['extension', 'user', 'project'],

  detect: (context) =>
    detectCommand(context, {
      name: 'gemini',
      // It starts itself a second time unless told not to, and takes seconds to say its version.
      quiet: { GEMINI_CLI_NO_RELAUNCH: 'true', GEMINI_TELEMETRY_ENABLED: 'false' },
      timeoutMs: 10_000,
    }),

  plan(context) {
    const path = hooksPath(context);
    const before = readSettings(path);
    const after = withHandlers(before ?? '{}\n', wantedHandlers(context), hookGroups(path));
    const bare = before === null ? null : withoutHandlers(before, hookGroups(path));
    return [...manifestEdit(context), ...changed({ path, before, after, ...bareOf(bare, before) })];
  },

  unplan(context) {
    const path = hooksPath(context);
    const before = readSettings(path);
    const after = before === null ? null : withoutHandlers(before, hookGroups(path));
    const kept = after !== null && context.scope === 'extension' && isEmpty(after) ? null : after;
    // The manifest last: its folder is the one around the other.
    return [...(after === before ? [] : [{ path, before, after: kept }]), ...withoutManifest(context)];
  },

  inspect: (context) => inspectGemini(context),
};

const MANIFEST = `${JSON.stringify({ name: EXTENSION, version: '1.0.0', description: 'Forwards hook events to Hookline.' }, null, 2)}\n`;

function manifestEdit(context: SetupContext): FileEdit[] {
  if (context.scope !== 'extension') return [];
  const path = manifestPath(context);
  const before = readSettings(path);
  if (before === null) return [{ path, before, after: MANIFEST }];
  if (new SettingsDocument(before, { path }).get(['name']) === EXTENSION) return [];
  throw unreadable(path, 'belongs to another extension');
}

function withoutManifest(context: SetupContext): FileEdit[] {
  const path = manifestPath(context);
  return context.scope === 'extension' && readSettings(path) === MANIFEST
    ? [{ path, before: MANIFEST, after: null }]
    : [];
}

function isEmpty(json: string): boolean {
  return Object.keys(JSON.parse(json.replace('\uFEFF', '').trim() || '{}')).length === 0;
}
