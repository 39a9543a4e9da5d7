import { join } from 'node:path';

/** What a small loader requires, for clients that take long to read the file of a plugin. It lies beside the forwarder. */
export function coreFile(home: string, agent: string): string {
  return join(home, 'bin', 'shims', `${agent}.cjs`);
}
