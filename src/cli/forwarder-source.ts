import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AGENTS } from '../agents/_registry.ts';
import type { ForwarderSource } from '../forwarder/install.ts';
import type { Config } from '../home/config.ts';
import { VERSION } from '../version.ts';

/** The files that a forwarder is installed from: this build, run by this Node. */
export function forwarderSource({ failure }: Config): ForwarderSource {
  return {
    distDir: dirname(fileURLToPath(import.meta.url)),
    version: VERSION,
    nodePath: process.execPath,
    envAllowList: [...new Set([...AGENTS.values()].flatMap((agent) => agent.envAllowList))],
    failure,
  };
}
