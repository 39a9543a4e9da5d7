import { filesOf } from '../../knowledge/load.ts';
import { once } from '../../platform/bounded.ts';
import { isWithin } from '../calm/public.ts';
import type { Facts } from '../facts.ts';
import { type PathScope, pathPatterns, placeAt } from '../match/paths.ts';

/** What a build or a tool creates again. Outside a project, such names say nothing about a file. */
const IN_PROJECT = ['leftover-files', 'made-folders'] as const;
const ANYWHERE = ['temporary', 'package-caches'] as const;

const patternsOf = (names: readonly string[]) =>
  once(() => {
    const lists = filesOf('leftovers');
    return pathPatterns(names.flatMap((name) => lists[name] ?? []));
  });
const inProject = patternsOf(IN_PROJECT);
const anywhere = patternsOf(ANYWHERE);

/** Only the path inside the project counts, because the project may be below a directory called `tmp`. */
const ROOT = '/project';
const ALONE: PathScope = { home: null, project: ROOT, real: (path) => path, expand: () => null };

/** True if a file, or all of a directory, can be created again by its tool. The path is a real one. */
export function isRegenerable(path: string, facts: Facts): boolean {
  const scope = facts.scope();
  const project = scope.project === null ? null : facts.real(scope.project);
  return project !== null && isWithin(path, project)
    ? inProject().cover(placeAt(ROOT + path.slice(project.length)), ALONE)
    : anywhere().cover(placeAt(path), scope);
}
