import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Debian has PostgreSQL in a folder of its version, which is not on the PATH. */
function debianFolders(): readonly string[] {
  const all = '/usr/lib/postgresql';
  try {
    const versions = readdirSync(all).sort((a, b) => Number(b) - Number(a));
    return versions.map((version) => join(all, version, 'bin'));
  } catch {
    return [];
  }
}

const named = process.env.HOOKLINE_POSTGRES;
const folders = named ? [named] : [...debianFolders(), ''];

/** Where the programs of PostgreSQL are; empty where they are on the PATH, null where there are none. */
export const postgresFolder: string | null =
  folders.find((one) => spawnSync(join(one, 'postgres'), ['--version']).error === undefined) ?? null;
