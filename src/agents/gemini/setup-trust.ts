import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import * as v from 'valibot';
import { readSettings, SettingsDocument } from '../settings-json.ts';
import type { SetupContext } from '../setup.ts';
import { userFolder } from './setup-files.ts';

const folders = v.record(v.string(), v.string());

/**
 * Whether 0.61.0 would trust the folder, in the order in which it asks: its environment, the switch in the settings,
 * the list of folders. null: it would ask the person, and a headless run would end with exit code 55.
 */
export function isTrusted(context: SetupContext, folderTrust: boolean): boolean | null {
  const { env, cwd } = context;
  if (env.GEMINI_RESTRICTED_MODE === 'true' || env.GEMINI_CLI_TRUST_WORKSPACE === 'false') return false;
  if (env.GEMINI_CLI_TRUST_WORKSPACE === 'true' || !folderTrust) return true;
  const path = env.GEMINI_CLI_TRUSTED_FOLDERS_PATH || join(userFolder(context), 'trustedFolders.json');
  const rules = Object.entries(listed(path)).map(
    ([folder, level]) => [level === 'TRUST_PARENT' ? dirname(folder) : folder, level] as const,
  );
  const matching = rules.filter(([folder]) => contains(folder, cwd));
  // The longest path is about this folder most of all.
  const [nearest] = matching.sort(([a], [b]) => b.length - a.length);
  return nearest === undefined ? null : nearest[1] !== 'DO_NOT_TRUST';
}

/** Whether an extension is switched off here: the last rule that fits the folder counts (0.61.0). */
export function isExtensionDisabled(context: SetupContext, name: string): boolean {
  const path = join(userFolder(context), 'extensions', 'extension-enablement.json');
  const overrides = read(path, [name, 'overrides']);
  const here = `${context.cwd.replaceAll('\\', '/')}/`;
  let disabled = false;
  for (const rule of Array.isArray(overrides) ? overrides : []) {
    if (typeof rule === 'string' && fits(rule.replace(/^!/, ''), here)) disabled = rule.startsWith('!');
  }
  return disabled;
}

function fits(pattern: string, folder: string): boolean {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/(\/?)\*/g, '($1.*)?');
  return new RegExp(`^${escaped}$`).test(folder);
}

function listed(path: string): Readonly<Record<string, string>> {
  const parsed = v.safeParse(folders, read(path, []));
  return parsed.success ? parsed.output : {};
}

/** What the client keeps for itself; a file that cannot be read counts as empty, as it does for the client. */
function read(path: string, at: readonly string[]): unknown {
  try {
    return new SettingsDocument(readSettings(path) ?? '{}', { path, comments: true }).get(at);
  } catch {
    return undefined;
  }
}

function contains(folder: string, inside: string): boolean {
  const [outer, inner] = [real(folder), real(inside)];
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}

function real(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}
