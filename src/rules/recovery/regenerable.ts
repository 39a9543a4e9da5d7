import { filesOf } from '../../knowledge/load.ts';
import { once } from '../../platform/bounded.ts';
import { isWithin } from '../calm/public.ts';
import type { Facts } from '../facts.ts';
import { type PathScope, pathPatterns, placeAt } from '../match/paths.ts';

/** What a build or a tool makes again. Outside of a project such names say nothing about what is in a file. */
const IN_PROJECT = ['leftover-files', 'made-folders'] as const;
const ANYWHERE = ['temporary', 'package-caches'] as const;

const patternsOf = (names: readonly string[]) =>
  once(() => {
    const lists = filesOf('leftovers');
    return pathPatterns(names.flatMap((name) => lists[name] ?? []));
  });
const inProject = patternsOf(IN_PROJECT);
const anywhere = patternsOf(ANYWHERE);

/** Only what a path says behind the project counts: that may lie below a folder called `tmp`. */
const ROOT = '/project';
const ALONE: PathScope = { home: null, project: ROOT, real: (path) => path, expand: () => null };

/** Whether a file, or all of a folder, can be made again by what made it. The path is a real one. */
export function isRegenerable(path: string, facts: Facts): boolean {
  const scope = facts.scope();
  const project = scope.project === null ? null : facts.real(scope.project);
  return project !== null && isWithin(path, project)
    ? inProject().cover(placeAt(ROOT + path.slice(project.length)), ALONE)
    : anywhere().cover(placeAt(path), scope);
}
