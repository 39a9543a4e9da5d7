import { posixFolder, windowsPath } from '../shell/windows-paths.ts';
import type { World } from './facts.ts';

/** A world on Windows for those who write its paths as shells there do: `/c/Users` is looked up as `C:\Users`. */
export function withDrives(world: World): World {
  const { exists, namesIn, filesBelow, changedAt, scriptText, startsPrograms } = world;
  return {
    ...world,
    home: posixFolder(world.home),
    real: (path, ofFolder) =>
      posixFolder(
        world.real(windowsPath(path), ofFolder && ((folder) => windowsPath(ofFolder(posixFolder(folder))))),
      ),
    branchOf: (folder) => world.branchOf(windowsPath(folder)),
    treeOf: (folder) => world.treeOf(windowsPath(folder)),
    ...(exists && { exists: (path) => exists(windowsPath(path)) }),
    ...(namesIn && { namesIn: (path) => namesIn(windowsPath(path)) }),
    ...(changedAt && { changedAt: (path) => changedAt(windowsPath(path)) }),
    ...(scriptText && { scriptText: (path) => scriptText(windowsPath(path)) }),
    ...(startsPrograms && { startsPrograms: (path) => startsPrograms(windowsPath(path)) }),
    ...(filesBelow && {
      filesBelow: (folder, isSkipped) => filesBelow(windowsPath(folder), isSkipped)?.map(posixFolder) ?? null,
    }),
  };
}
