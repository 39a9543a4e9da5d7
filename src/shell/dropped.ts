import type { Effect } from './analysis.ts';
import { DEPLOYMENT } from './deployment.ts';
import type { Walk } from './walk.ts';

const CHANGES: ReadonlySet<string> = new Set(['write', 'delete', 'permission', 'vcs', 'system', 'package']);

const isChange = (effect: Effect): boolean =>
  effect.kind === 'resource' ? effect.destructive || effect.system === DEPLOYMENT : CHANGES.has(effect.kind);

/** Takes back what a command would have changed. What it reads and runs on the way stays: `rsync -n -e …`. */
export function dropChanges({ effects }: Walk, from: number, command: number): void {
  keep(effects, from, (effect) => effect.command !== command || !isChange(effect));
}

/**
 * The same of what runs in a container that is gone afterwards, and has nothing of this machine but the folders that
 * are `shared` with it, as they are called there.
 */
export function dropChangesInside(
  { effects, commands, home }: Walk,
  from: number,
  shared: readonly string[],
): void {
  keep(effects, from, (effect) => {
    const isInside = commands[effect.command]?.place === 'container';
    return !isInside || effect.kind === 'resource' || !isChange(effect) || maybeShared(effect, shared, home);
  });
}

/** Other ways to a folder: by a process that works in it. */
const BY_PROCESS = /^\/(?:proc|dev\/fd)\//;

function maybeShared(effect: Effect, shared: readonly string[], home: string | null): boolean {
  if (shared.length === 0) return false;
  if (!('path' in effect)) return effect.kind === 'vcs';
  const { path } = effect;
  // Where it works is not known, nor what a pattern comes to.
  if (path === null || !path.startsWith('/') || /[*?[{]/.test(path)) return true;
  // The home in there is an unknown other one.
  if (BY_PROCESS.test(path) || (home !== null && isWithin(path, home))) return true;
  return shared.some((folder) => isWithin(path, folder) || isWithin(folder, path));
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

function keep(effects: Effect[], from: number, isKept: (effect: Effect) => boolean): void {
  effects.splice(from, effects.length - from, ...effects.slice(from).filter(isKept));
}
