import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Hookline's home: all files of an installed Hookline on this machine. */
export function homeFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return resolve(env.HOOKLINE_HOME || join(env.HOME || homedir(), '.hookline'));
}
