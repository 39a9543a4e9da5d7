import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { readRegularFile } from '../../platform/bounded-files.ts';
import { fileStamp } from '../../platform/files.ts';
import type { Snapshot } from '../../platform/last-good.ts';
import { cachedStat } from '../../platform/stat-cache.ts';

export interface HookFile {
  readonly path: string;
  /** Identifies the content of this file and of what it may import from its directory. */
  readonly stamp: string;
}

const HOOK = /^[^._].*\.(?:ts|js|mjs)$/;
const MAX_FILES = 1_000;

/**
 * The hooks of a directory, by name; null if it can't be listed. Files that begin with `_`, declarations and nested
 * files can only be imported.
 */
export function hookFiles(folder: string): readonly HookFile[] | null {
  // Called on every call, and usually there is no directory: an exception would cost more than everything else.
  if (cachedStat(folder).stat === undefined) return [];
  let names: string[];
  try {
    names = readdirSync(folder).sort();
  } catch {
    return null;
  }
  const isHook = (name: string) => HOOK.test(name) && !name.endsWith('.d.ts') && !/\.test\.[^.]+$/.test(name);
  const hooks = names.filter(isHook);
  if (hooks.length === 0) return [];
  const others = names.filter((name) => !isHook(name) && name !== 'node_modules');
  const shared = others.flatMap((name) => stampsUnder(join(folder, name))).join();
  return hooks.map((name) => {
    const path = join(folder, name);
    return { path, stamp: `${fileStamp(path)}|${shared}` };
  });
}

function stampsUnder(path: string): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [fileStamp(path)];
  try {
    const inside = readdirSync(path, { recursive: true, encoding: 'utf8' }).slice(0, MAX_FILES);
    return inside.map((name) => fileStamp(join(path, name)));
  } catch {
    // An unreadable file can't be imported either.
    return [];
  }
}

const SOURCE = /(?<!\.d)\.(?:[cm]?[jt]s|json)$/;
const MAX_KEPT_FILES = 200;
const MAX_KEPT_CHARS = 2 << 20;

/** The sources of a directory by real path; null if there are too many to store. */
export function sourcesIn(folder: string): Snapshot | null {
  const root = realpathSync(folder);
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const sources = names.filter((name) => SOURCE.test(name) && !name.split(sep).includes('node_modules'));
  if (names.length > MAX_FILES || sources.length > MAX_KEPT_FILES) return null;
  const files: Record<string, string> = {};
  let chars = 0;
  for (const name of sources.sort()) {
    const path = join(root, name);
    const read = readRegularFile(path, { within: null, maxBytes: MAX_KEPT_CHARS });
    if ('beginning' in read) return null;
    const text = 'content' in read ? read.content.toString('utf8') : '';
    chars += text.length;
    if (chars > MAX_KEPT_CHARS) return null;
    files[realpathSync(path)] = text;
  }
  return files;
}
