import { detectCommand } from '../detect-command.ts';
import { withHandlers, withoutHandlers } from '../hook-groups.ts';
import { readSettings } from '../settings-json.ts';
import { type AgentSetup, bareOf, changed, type FileEdit, type SetupContext } from '../setup.ts';
import { wantedHandlers } from './setup-events.ts';
import { configPath, hooksPath } from './setup-files.ts';
import { assertReadable, hookGroups } from './setup-handlers.ts';
import { inspectCodex } from './setup-inspect.ts';
import { withTrust } from './setup-trust.ts';

/**
 * Puts one entry per event into hooks.json, and into the user's config.toml that these entries are trusted, and takes
 * exactly those out again. Trusting is the user's word: it is given by agreeing to the plan, which shows both files.
 */
export const codexSetup: AgentSetup = {
  detect: (context) => detectCommand(context, { name: 'codex', quiet: {} }),

  plan(context) {
    const path = hooksPath(context);
    const before = readSettings(path);
    if (before !== null) assertReadable(before, path);
    const after = withHandlers(before ?? '{}\n', wantedHandlers(context), hookGroups(path));
    const bare = before === null ? null : withoutHandlers(before, hookGroups(path));
    return [
      ...changed({ path, before, after, ...bareOf(bare, before) }),
      ...changed(trustEdit(context, { before, after, bare })),
    ];
  },

  unplan(context) {
    const path = hooksPath(context);
    const before = readSettings(path);
    if (before === null) return [];
    const after = withoutHandlers(before, hookGroups(path));
    if (after === before) return [];
    // The file that was made last goes first, so that the folder is empty when the other one goes.
    return [
      ...changed(trustEdit(context, { before, after, bare: after })),
      ...changed({ path, before, after }),
    ];
  },

  inspect: (context) => inspectCodex(context),
};

interface Hooks {
  readonly before: string | null;
  readonly after: string;
  readonly bare: string | null;
}

function trustEdit(context: SetupContext, hooks: Hooks): FileEdit {
  const [path, file] = [hooksPath(context), configPath(context)];
  const config = readSettings(file);
  const { before, after } = hooks;
  const text = withTrust(config ?? '', file, { path, before, after });
  const bare = withTrust(config ?? '', file, { path, before, after: hooks.bare });
  // Nothing to say about trust makes no file.
  if (config === null) return { path: file, before: null, after: text === '' ? null : text };
  return { path: file, before: config, after: text, ...bareOf(bare, config) };
}
