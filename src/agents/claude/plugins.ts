import { dirname, join } from 'node:path';
import { readRegularText } from '../../platform/bounded-files.ts';
import { readSettings, SettingsDocument } from '../setup/settings-json.ts';
import type { SetupContext } from '../setup/setup.ts';
import { settingsPath } from './setup.ts';

/** A plugin that the client has installed, as 2.1.325 notes it. */
interface InstalledPlugin {
  /** `name@marketplace` */
  readonly id: string;
  /** Where its files are. */
  readonly root: string;
  /** What the settings say in this folder; null where none mentions it. */
  readonly enabled: boolean | null;
}

/** The client notes where it put a plugin; the settings say whether it is on. */
export function installedPlugins(context: SetupContext): readonly InstalledPlugin[] {
  const user = settingsPath({ ...context, scope: 'user' });
  const listed = Object(readJson(join(dirname(user), 'plugins', 'installed_plugins.json'))).plugins;
  // The last one that mentions it counts.
  const files = [
    user,
    ...['settings.json', 'settings.local.json'].map((name) => join(context.cwd, '.claude', name)),
  ];
  const switches: Record<string, unknown> = Object.assign({}, ...files.map(enabledIn));
  return Object.entries(Object(listed)).flatMap(([id, entry]) =>
    installPaths(entry).map((root) => {
      const enabled = switches[id];
      return { id, root, enabled: typeof enabled === 'boolean' ? enabled : null };
    }),
  );
}

function enabledIn(path: string): object {
  const text = readSettings(path);
  return text === null ? {} : Object(new SettingsDocument(text, { path }).get(['enabledPlugins']));
}

/** One place, or a list of them: that changed between versions. */
function installPaths(entry: unknown): string[] {
  const list: unknown[] = Array.isArray(entry) ? entry : [entry];
  return list.flatMap((one) => {
    const { installPath } = Object(one);
    return typeof installPath === 'string' ? [installPath] : [];
  });
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readRegularText(path));
  } catch {
    return null;
  }
}
