import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';

const Handler = v.looseObject({ type: v.string(), command: v.optional(v.string()) });
const Settings = v.looseObject({
  hooks: v.record(v.string(), v.array(v.looseObject({ hooks: v.array(Handler) }))),
});

export function settingsFile(sandbox: Sandbox): string {
  return join(sandbox.home, '.claude', 'settings.json');
}

export async function readSettings(sandbox: Sandbox): Promise<string | null> {
  const file = settingsFile(sandbox);
  return existsSync(file) ? await readFile(file, 'utf8') : null;
}

export async function writeSettings(sandbox: Sandbox, text: string): Promise<void> {
  await mkdir(dirname(settingsFile(sandbox)), { recursive: true });
  await writeFile(settingsFile(sandbox), text);
}

/** The command lines that the client runs on an event. */
export function commandsOn(settings: string | null, event: string): readonly string[] {
  const { hooks } = v.parse(Settings, JSON.parse(settings ?? '{"hooks":{}}'));
  return (hooks[event] ?? []).flatMap((entry) => entry.hooks.flatMap((handler) => handler.command ?? []));
}
