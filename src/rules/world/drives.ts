import { posixFolder, windowsPath } from '../../shell/places/windows-paths.ts';
import type { World } from '../facts.ts';
import type { SeenPaths } from './real-path.ts';

/** A world on Windows for those who write its paths as shells there do: `/c/Users` is looked up as `C:\Users`. */
export function withDrives(world: World): World {
  const { exists, namesIn, filesBelow, changedAt, identityOf, isAbsent, scriptText, startsPrograms } = world;
  return {
    ...world,
    home: posixFolder(world.home),
    real: (path, seen) => posixFolder(world.real(windowsPath(path), seen && withWindowsFolders(seen))),
    treeRoot: () => null,
    branchOf: (folder) => world.branchOf(windowsPath(folder)),
    treeOf: (folder) => world.treeOf(windowsPath(folder)),
    ...(exists && { exists: (path) => exists(windowsPath(path)) }),
    ...(namesIn && { namesIn: (path) => namesIn(windowsPath(path)) }),
    ...(changedAt && { changedAt: (path) => changedAt(windowsPath(path)) }),
    ...(identityOf && { identityOf: (path) => identityOf(windowsPath(path)) }),
    ...(isAbsent && { isAbsent: (path) => isAbsent(windowsPath(path)) }),
    ...(scriptText && { scriptText: (path) => scriptText(windowsPath(path)) }),
    ...(startsPrograms && { startsPrograms: (path) => startsPrograms(windowsPath(path)) }),
    ...(filesBelow && {
      filesBelow: (folder, isSkipped) => filesBelow(windowsPath(folder), isSkipped)?.map(posixFolder) ?? null,
    }),
  };
}

function withWindowsFolders(seen: SeenPaths): SeenPaths {
  const { missing } = seen;
  return seen.ofFolder === undefined
    ? { missing }
    : { ofFolder: (folder) => windowsPath(seen.ofFolder?.(posixFolder(folder)) ?? folder), missing };
}
