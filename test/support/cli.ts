import { expect, onTestFinished, vi } from 'vitest';
import type { Command } from '../../src/cli/command.ts';
import type { HomePaths } from '../../src/home/paths.ts';
import type { Access } from '../../src/model/people/access.ts';

export const person: Access = { decide: async () => ({ allowed: true, by: 'maya', scriptKey: null }) };

/** Commands work with this home until the test has ended. */
export function useHome({ root }: Pick<HomePaths, 'root'>): void {
  vi.stubEnv('HOOKLINE_HOME', root);
  onTestFinished(() => void vi.unstubAllEnvs());
}

/** The lines that a command prints until it ends with this code. */
export async function printed(command: Command, args: readonly string[], code = 0): Promise<string[]> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    expect(await command.run(args)).toBe(code);
    return log.mock.calls.map(([line]) => String(line));
  } finally {
    log.mockRestore();
  }
}
