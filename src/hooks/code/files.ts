import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface HookFile {
  readonly path: string;
  /** What tells one content from the next, of this file and of what it may import from its folder. */
  readonly stamp: string;
}

const HOOK = /^[^._].*\.(?:ts|js|mjs)$/;
const MAX_FILES = 1_000;

/** The hooks of a folder, by name. What begins with `_`, declarations and what lies deeper is there to be imported. */
export function hookFiles(folder: string): readonly HookFile[] {
  // Asked on every call, and mostly there is none: an exception would cost more than all the rest.
  if (!statSync(folder, { throwIfNoEntry: false })) return [];
  let names: string[];
  try {
    names = readdirSync(folder).sort();
  } catch {
    return [];
  }
  const isHook = (name: string) => HOOK.test(name) && !name.endsWith('.d.ts') && !/\.test\.[^.]+$/.test(name);
  const hooks = names.filter(isHook);
  if (hooks.length === 0) return [];
  const others = names.filter((name) => !isHook(name) && name !== 'node_modules');
  const shared = others.flatMap((name) => stampsUnder(join(folder, name))).join();
  return hooks.map((name) => {
    const path = join(folder, name);
    return { path, stamp: `${stampOf(path)}|${shared}` };
  });
}

function stampsUnder(path: string): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [stampOf(path)];
  try {
    const inside = readdirSync(path, { recursive: true, encoding: 'utf8' }).slice(0, MAX_FILES);
    return inside.map((name) => stampOf(join(path, name)));
  } catch {
    // One that cannot be read cannot be imported from either.
    return [];
  }
}

function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.mtimeMs}:${stat.ctimeMs}:${stat.size}:${stat.ino}` : '';
}
