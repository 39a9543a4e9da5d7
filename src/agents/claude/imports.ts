import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { narrows, type PlacedHandler } from '../hook-groups.ts';
import { type AgentImports, type HookSource, importsFrom } from '../imports.ts';
import { readSettings, SettingsDocument } from '../settings-json.ts';
import type { SetupContext } from '../setup.ts';
import { settingsPath } from './setup-files.ts';
import { hookGroups } from './setup-handlers.ts';

const shared = {
  timeout: v.optional(v.number()),
  if: v.optional(v.string()),
  onFailure: v.optional(v.string()),
};
const command = v.looseObject({
  ...shared,
  type: v.literal('command'),
  command: v.string(),
  args: v.optional(v.array(v.string())),
  shell: v.optional(v.string()),
  async: v.optional(v.boolean()),
  asyncRewake: v.optional(v.boolean()),
});
const http = v.looseObject({
  ...shared,
  type: v.literal('http'),
  url: v.string(),
  headers: v.optional(v.record(v.string(), v.string())),
  allowedEnvVars: v.optional(v.array(v.string())),
});

/** Hooks of settings and of installed plugins. */
export const imports: AgentImports = importsFrom({ sources, groups: hookGroups, entry });

function sources(context: SetupContext): readonly HookSource[] {
  const user = settingsPath({ ...context, scope: 'user' });
  const project = (name: string) => ({ path: join(context.cwd, '.claude', name), project: context.cwd });
  const own = [{ path: user, project: null }, project('settings.json'), project('settings.local.json')];
  return [
    ...own.filter(({ path }, at) => own.findIndex((one) => one.path === path) === at),
    ...plugins(dirname(user), user),
  ];
}

/** The client notes where it put a plugin; the settings say whether it is on. */
function plugins(folder: string, settings: string): readonly HookSource[] {
  let installed: unknown;
  try {
    installed = JSON.parse(readFileSync(join(folder, 'plugins', 'installed_plugins.json'), 'utf8'));
  } catch {
    return [];
  }
  const text = readSettings(settings);
  const enabled = text === null ? {} : new SettingsDocument(text, { path: settings }).get(['enabledPlugins']);
  const { plugins: listed }: { plugins?: unknown } = Object(installed);
  return Object.entries(Object(listed)).flatMap(([id, entry]) => {
    if (Object(enabled)[id] === false) return [];
    return installPaths(entry).flatMap((root) => {
      const path = join(root, 'hooks', 'hooks.json');
      return existsSync(path) ? [{ path, project: null, env: { CLAUDE_PLUGIN_ROOT: root } }] : [];
    });
  });
}

/** One place, or a list of them: that changed between versions. */
function installPaths(entry: unknown): string[] {
  const list: unknown[] = Array.isArray(entry) ? entry : [entry];
  return list.flatMap((one) => {
    const { installPath } = Object(one);
    return typeof installPath === 'string' ? [installPath] : [];
  });
}

function entry({ event, matcher, handler }: PlacedHandler) {
  if (event === 'WorktreeCreate') return { why: 'it has to make the worktree itself' };
  const isCommand = v.is(command, handler);
  if (!isCommand && !v.is(http, handler)) return { why: 'only command and http hooks can be moved' };
  if (handler.if !== undefined) return { why: 'its "if" can be judged only by Claude Code' };
  const common = {
    dialect: 'claude',
    event,
    ...(narrows(matcher) ? { matcher } : {}),
    ...(handler.timeout === undefined ? {} : { timeout: `${handler.timeout}s` }),
    ...(handler.onFailure === 'block' ? { failure: 'closed' } : {}),
    from: 'claude',
  };
  if (!isCommand) {
    const { url, headers, allowedEnvVars } = handler;
    return {
      entry: {
        type: 'http',
        ...common,
        url,
        ...(headers ? { headers } : {}),
        ...(allowedEnvVars ? { allowedEnvVars } : {}),
      },
    };
  }
  if (handler.shell === 'powershell') return { why: 'it is written for PowerShell' };
  if (handler.asyncRewake) return { why: 'it wakes the agent up later, which only Claude Code can do' };
  return {
    entry: {
      type: 'command',
      ...common,
      command: handler.command,
      ...(handler.args ? { args: handler.args } : {}),
      ...(handler.async ? { background: true } : {}),
    },
  };
}
