import { detectCommand } from '../detect-command.ts';
import { withHandlers, withoutHandlers } from '../hook-groups.ts';
import { readSettings } from '../settings-json.ts';
import { type AgentSetup, bareOf, changed } from '../setup.ts';
import { wantedHandlers } from './setup-events.ts';
import { settingsPath } from './setup-files.ts';
import { hookGroups } from './setup-handlers.ts';
import { inspectClaude } from './setup-inspect.ts';

/** Puts one entry per event into Claude Code's settings, and takes exactly those out again. */
export const claudeSetup: AgentSetup = {
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

  plan(context) {
    const path = settingsPath(context);
    const before = readSettings(path);
    const after = withHandlers(before ?? '{}\n', wantedHandlers(context), hookGroups(path));
    const bare = before === null ? null : withoutHandlers(before, hookGroups(path));
    return changed({ path, before, after, ...bareOf(bare, before) });
  },

  unplan(context) {
    const path = settingsPath(context);
    const before = readSettings(path);
    if (before === null) return [];
    return changed({ path, before, after: withoutHandlers(before, hookGroups(path)) });
  },

  inspect: (context) => inspectClaude(context),
};
