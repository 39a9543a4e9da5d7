import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';

/** The files that setup edits, by their name in the client's home. */
export type SettingsFile = 'hooks.json' | 'config.toml';

function settingsFile(sandbox: Sandbox, name: SettingsFile): string {
  return join(sandbox.home, '.codex', name);
}

export async function readSettings(sandbox: Sandbox, name: SettingsFile): Promise<string | null> {
  const file = settingsFile(sandbox, name);
  return existsSync(file) ? await readFile(file, 'utf8') : null;
}

export async function writeSettings(sandbox: Sandbox, name: SettingsFile, text: string): Promise<void> {
  const file = settingsFile(sandbox, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
