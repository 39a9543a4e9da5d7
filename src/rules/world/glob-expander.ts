import type { Analysis } from '../../shell/analysis.ts';
import { isKnownTool } from '../../shell/program-names.ts';
import type { World } from '../facts.ts';
import { segmentTest } from '../match/glob.ts';

const MAX_FOLDERS = 16;
const MAX_PATHS = 2_000;
const MAX_CHECKED = 200;
const GLOB = /[*?[]/;

/**
 * The paths that a glob comes to on this machine. Null where that cannot be said: a folder is not there or too large,
 * the line itself writes there, or it changes what globs mean.
 */
export function createGlobExpander(
  world: Pick<World, 'namesIn' | 'exists'>,
  analysis: () => Analysis | null,
): (glob: string) => readonly string[] | null {
  let asked = 0;
  const namesOf = (folder: string): readonly string[] | null => {
    if (++asked > MAX_FOLDERS || isWritten(folder, analysis())) return null;
    return world.namesIn?.(folder === '' ? '/' : folder) ?? null;
  };

  /** What is in the folders and matches; null where one of them cannot be read. */
  function below(folders: readonly string[], segment: string): string[] | null {
    const matches = segmentTest(segment, false);
    const found: string[] = [];
    for (const folder of folders) {
      const names = namesOf(folder);
      // Of several things that a glob matched, some are files.
      if (names === null && (folders.length === 1 || asked > MAX_FOLDERS)) return null;
      for (const name of names ?? []) if (matches(name)) found.push(`${folder}/${name}`);
    }
    return found.length > MAX_PATHS ? null : found;
  }

  return (glob) => {
    if (!world.namesIn || !glob.startsWith('/') || !isPlain(analysis())) return null;
    const segments = glob.split('/').slice(1);
    let paths: string[] = [''];
    for (const segment of segments) {
      const next = GLOB.test(segment) ? below(paths, segment) : paths.map((path) => `${path}/${segment}`);
      if (next === null) return null;
      paths = next;
    }
    if (GLOB.test(segments.at(-1) ?? '')) return paths;
    return paths.length > MAX_CHECKED ? null : paths.filter((path) => world.exists?.(path) ?? true);
  };
}

const OBSERVED: ReadonlySet<string> = new Set(['run', 'read', 'write', 'delete', 'permission', 'env']);

/** Whether a line is made of known programs that do nothing but what is known, and globs mean what they usually do. */
function isPlain(analysis: Analysis | null): boolean {
  if (analysis === null || analysis.coverage !== 'complete') return false;
  return (
    analysis.effects.every(({ kind }) => OBSERVED.has(kind)) &&
    analysis.commands.every(
      ({ tool, place }) =>
        place === 'local' && tool !== null && isKnownTool(tool) && !/^(?:shopt|setopt|set)$/.test(tool),
    )
  );
}

/** Whether the line itself may change what is in a folder before the glob is expanded. */
function isWritten(folder: string, analysis: Analysis | null): boolean {
  return (analysis?.effects ?? []).some((effect) => {
    if (effect.kind !== 'write' && effect.kind !== 'delete') return false;
    const path = effect.path ?? effect.prefix;
    return path === null || effect.glob || path.startsWith(`${folder}/`) || folder.startsWith(path);
  });
}
