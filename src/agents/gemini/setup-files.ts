import { join, resolve } from 'node:path';
import type { SetupContext } from '../setup.ts';

/** The folder of the user's settings and extensions. */
export function userFolder({ env, home, cwd }: SetupContext): string {
  const base = env.GEMINI_CLI_HOME;
  return join(base ? resolve(cwd, base) : home, '.gemini');
}

export const EXTENSION = 'hookline';

export function extensionFolder(context: SetupContext): string {
  return join(userFolder(context), 'extensions', EXTENSION);
}

/** The file that says that the folder is an extension. */
export function manifestPath(context: SetupContext): string {
  return join(extensionFolder(context), 'gemini-extension.json');
}

/** The file that has our entries. */
export function hooksPath(context: SetupContext): string {
  switch (context.scope) {
    case 'extension':
      return join(extensionFolder(context), 'hooks', 'hooks.json');
    case 'user':
      return join(userFolder(context), 'settings.json');
    case 'project':
      return join(context.cwd, '.gemini', 'settings.json');
  }
}

/** Every settings file that the client merges in this folder, weakest first. Hooks of all of them run. */
export function allSettings(context: SetupContext, systemDir: string): readonly string[] {
  const { env } = context;
  return [
    env.GEMINI_CLI_SYSTEM_DEFAULTS_PATH || join(systemDir, 'system-defaults.json'),
    // In the home folder these two are the same file.
    ...new Set([hooksPath({ ...context, scope: 'user' }), hooksPath({ ...context, scope: 'project' })]),
    env.GEMINI_CLI_SYSTEM_SETTINGS_PATH || join(systemDir, 'settings.json'),
  ];
}

/** Where an administrator's settings are. */
export function systemFolder(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return '/Library/Application Support/GeminiCli';
  if (platform === 'win32') return 'C:\\ProgramData\\gemini-cli';
  return '/etc/gemini-cli';
}
