import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Finished } from '../../../src/sandbox/process.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';

/** A program that runs beside the scenario. */
export interface Background {
  /** Resolves with what the pattern finds in stderr, as soon as it is there. */
  says(pattern: RegExp): Promise<string>;
  stop(): Promise<Finished>;
}

// The sandbox knows how to run a program to its end; a shell in front of it writes down whom to stop.
const START = 'echo $$ > "$PID_FILE"; exec "$@" 2> "$STDERR_FILE"';

export async function inBackground(
  sandbox: Sandbox,
  [program, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
): Promise<Background> {
  const folder = await mkdtemp(join(sandbox.home, 'background-'));
  const [pidFile, stderrFile] = [join(folder, 'pid'), join(folder, 'stderr')];
  const finished = sandbox.run('sh', ['-c', START, 'sh', program, ...args], {
    env: { ...env, PID_FILE: pidFile, STDERR_FILE: stderrFile },
  });
  const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  return {
    says: async (pattern) => {
      await expect.poll(() => read(stderrFile)).toMatch(pattern);
      return pattern.exec(read(stderrFile))?.[1] ?? '';
    },
    stop: async () => {
      await expect.poll(() => read(pidFile)).toMatch(/\d/);
      process.kill(Number(read(pidFile)), 'SIGTERM');
      return await finished;
    },
  };
}
