import type { TestProject } from 'vitest/node';
import { installClient, type Pin } from '../../src/sandbox/install.ts';
import { allPins } from './pins.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The program of each client, by its Hookline name; null when it could not be installed. */
    programs: Readonly<Record<string, string | null>>;
  }
}

/** Installs the clients once for all files. Without a registry the suite is skipped, but never unnoticed. */
export default async function setup(project: TestProject): Promise<void> {
  // All at once: npm spends most of its time waiting for the registry.
  const programs = await Promise.all([...allPins()].map(async ([id, pin]) => [id, await programOf(id, pin)]));
  project.provide('programs', Object.fromEntries(programs));
}

async function programOf(id: string, pin: Pin): Promise<string | null> {
  return installClient(pin).catch((error: unknown) => {
    const problem = `${pin.package}@${pin.version} could not be installed: ${error}`;
    if (process.env.CI) throw new Error(problem, { cause: error });
    console.error(
      `\n*** THE REAL-CLIENT SCENARIOS OF "${id}" ARE SKIPPED ***\n${problem}\n` +
        'To run them, give npm a registry, or set HOOKLINE_CLIENTS_CACHE to a folder that has the client.\n',
    );
    return null;
  });
}
