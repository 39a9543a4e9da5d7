import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';

/** What the client needs to talk to a model on loopback, and to keep quiet otherwise. */
const SETTINGS = {
  // With a base URL in the environment and without this, it wants a login by a gateway that it then refuses.
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
};

export function settingsFile(sandbox: Sandbox): string {
  return join(sandbox.home, '.gemini', 'settings.json');
}

export function extensionFolder(sandbox: Sandbox): string {
  return join(sandbox.home, '.gemini', 'extensions', 'hookline');
}

export async function readText(path: string): Promise<string | null> {
  return existsSync(path) ? await readFile(path, 'utf8') : null;
}

export async function writeSettings(sandbox: Sandbox, more: object = {}): Promise<void> {
  await mkdir(dirname(settingsFile(sandbox)), { recursive: true });
  await writeFile(settingsFile(sandbox), JSON.stringify({ ...SETTINGS, ...more }));
}
