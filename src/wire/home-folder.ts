import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Hookline's home: where everything is that a set-up Hookline has on this machine. */
export function homeFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return resolve(env.HOOKLINE_HOME || join(env.HOME || homedir(), '.hookline'));
}
