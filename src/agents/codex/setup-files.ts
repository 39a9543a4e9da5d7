import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { SetupContext } from '../setup.ts';

/** The file that setup puts hooks in. The client knows a hook by this very path. */
export function hooksPath(context: SetupContext): string {
  return join(context.scope === 'user' ? codexHome(context) : projectFolder(context), 'hooks.json');
}

/** The user's settings, where the client keeps which hooks are trusted, those of projects too. */
export function configPath(context: SetupContext): string {
  return join(codexHome(context), 'config.toml');
}

/** The file of each place that hooks are read from, with the settings beside it. */
export function layers(context: SetupContext): readonly { hooks: string; config: string }[] {
  const folders = new Set([codexHome(context), projectFolder(context)]);
  return [...folders].map((folder) => ({
    hooks: join(folder, 'hooks.json'),
    config: join(folder, 'config.toml'),
  }));
}

function projectFolder({ cwd }: SetupContext): string {
  return join(cwd, '.codex');
}

function codexHome({ env, home, cwd }: SetupContext): string {
  const folder = env.CODEX_HOME;
  if (!folder) return join(home, '.codex');
  const path = resolve(cwd, folder);
  try {
    // The client follows links in this variable, but not in the default (0.166.0, tried).
    return realpathSync(path);
  } catch {
    return path;
  }
}
