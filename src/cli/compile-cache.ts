import { existsSync } from 'node:fs';
import module from 'node:module';
import { homePaths } from '../home/paths.ts';

/**
 * Lets Node (22.1 or newer) keep what it compiled, so that the next command starts sooner. In the home: code that others
 * could put into a shared folder would run here.
 */
export function useCompileCache(): void {
  const { root, compileCache } = homePaths();
  // Looking at the help or the version makes no home.
  if (!existsSync(root)) return;
  // Not in the types of the oldest Node that there is to support.
  const enable: unknown = Reflect.get(module, 'enableCompileCache');
  if (typeof enable === 'function') enable(compileCache);
}
