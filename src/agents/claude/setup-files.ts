import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { SetupContext } from '../setup.ts';

/** The file that setup edits. */
export function settingsPath(context: SetupContext): string {
  return context.scope === 'user' ? userSettings(context) : join(context.cwd, '.claude', 'settings.json');
}

export interface SettingsFile {
  readonly path: string;
  readonly managed: boolean;
}

/** Every file that the client reads settings from in this project; hooks of all of them run. */
export function allSettings(context: SetupContext, managedDir: string): readonly SettingsFile[] {
  const own = [
    userSettings(context),
    join(context.cwd, '.claude', 'settings.json'),
    join(context.cwd, '.claude', 'settings.local.json'),
  ];
  const managed = [
    join(managedDir, 'managed-settings.json'),
    ...dropIns(join(managedDir, 'managed-settings.d')),
  ];
  return [
    // In the home folder the first two are the same file.
    ...[...new Set(own)].map((path) => ({ path, managed: false })),
    ...managed.map((path) => ({ path, managed: true })),
  ];
}

/** Where an administrator's settings are. */
export function managedFolder(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return '/Library/Application Support/ClaudeCode';
  if (platform === 'win32') return 'C:\\Program Files\\ClaudeCode';
  return '/etc/claude-code';
}

function userSettings({ env, home, cwd }: SetupContext): string {
  const folder = env.CLAUDE_CONFIG_DIR;
  return join(folder ? resolve(cwd, folder) : join(home, '.claude'), 'settings.json');
}

function dropIns(folder: string): string[] {
  try {
    // The client reads these and no others (2.1.325).
    const names = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.startsWith('.'));
    return names.sort().map((name) => join(folder, name));
  } catch {
    return [];
  }
}
