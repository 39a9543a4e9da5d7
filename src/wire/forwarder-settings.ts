import { join } from 'node:path';
import { readRegularText } from '../platform/bounded-files.ts';

/**
 * The one path in agents' settings. It never changes, because some agents ask for trust again. Windows starts no file
 * without an extension, so agents there run Node, with slashes, which work in each of its shells.
 */
export function forwarderPath(home: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') return join(home, 'bin', 'forward.js').replaceAll('\\', '/');
  return join(home, 'bin', 'hookline-forward');
}

/** What setup writes to `bin/forwarder.json`, for both forwarders. */
export interface ForwarderSettings {
  /** Absolute path of Node. */
  readonly node: string;
  /** Absolute path of the forwarder in JavaScript. */
  readonly script: string;
  /** The variables to send along. */
  readonly env: readonly string[];
}

export function forwarderSettingsFile(home: string): string {
  return join(home, 'bin', 'forwarder.json');
}

/** Null if there are none, or they are unusable. */
export function readForwarderSettings(home: string): ForwarderSettings | null {
  let found: unknown;
  try {
    found = JSON.parse(readRegularText(forwarderSettingsFile(home)));
  } catch {
    return null;
  }
  if (typeof found !== 'object' || found === null) return null;
  const node = 'node' in found && typeof found.node === 'string' ? found.node : null;
  const script = 'script' in found && typeof found.script === 'string' ? found.script : null;
  const env =
    'env' in found && Array.isArray(found.env) ? found.env.filter((name) => typeof name === 'string') : [];
  return node === null || script === null ? null : { node, script, env };
}

/** The listed variables that are set. */
export function pickEnv(
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of names) {
    const value = env[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}
