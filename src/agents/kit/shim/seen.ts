import { renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject, parseJson } from '../../../model/json.ts';
import { readRegularText } from '../../../platform/bounded-files.ts';
import { makeFolder } from '../../../platform/make-folder.ts';

/** What a shim says of itself when a client has loaded it. */
export interface Loaded {
  /** Of the Hookline that wrote the file. */
  readonly version: string;
  /** The client's version, where it says so. */
  readonly client: string | null;
  readonly pid: number;
  /** In ms since the epoch. */
  readonly at: number;
  /** How many calls ran with other arguments than the decided ones, and the tool of the last. */
  readonly changed: number;
  readonly tool: string | null;
}

/** Beside the sockets, where only this user can write. */
function seenFile(home: string, agent: string): string {
  return join(home, 'run', 'seen', `${agent}.json`);
}

/** Never throws: a shim that cannot say so works all the same. */
export function writeSeen(home: string, agent: string, loaded: Loaded): void {
  const file = seenFile(home, agent);
  try {
    makeFolder(dirname(file), 0o700);
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(loaded), { mode: 0o600 });
    renameSync(`${file}.${process.pid}`, file);
  } catch {
    // A home that is gone or full: doctor will say that nothing was seen.
  }
}

/** When a client loaded the shim last; null when that is not known. */
export function readSeen(home: string, agent: string): Loaded | null {
  let found: unknown;
  try {
    found = parseJson(readRegularText(seenFile(home, agent)));
  } catch {
    return null;
  }
  if (!isObject(found) || typeof found.at !== 'number' || typeof found.version !== 'string') return null;
  const { version, client, pid, at, changed, tool } = found;
  return {
    version,
    client: typeof client === 'string' ? client : null,
    pid: typeof pid === 'number' ? pid : 0,
    at,
    changed: typeof changed === 'number' ? changed : 0,
    tool: typeof tool === 'string' ? tool : null,
  };
}
