import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { kill } from '../platform/processes.ts';

/** Running processes whose variables name the directory. Linux only; empty elsewhere. */
export function processesOf(folder: string): readonly number[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => pid !== process.pid && belongsTo(pid, folder));
}

function belongsTo(pid: number, folder: string): boolean {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return variables.some((entry) => /^(HOOKLINE_HOME|HOME)=/.test(entry) && entry.includes(`=${folder}/`));
  } catch {
    // It has exited, or belongs to another user.
    return false;
  }
}

const DEADLINE_MS = 5_000;

/** Ends remaining processes of a sandbox, such as a daemon that a hook started while the test was interrupted. */
export async function endProcessesOf(folder: string): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  for (let left = processesOf(folder); left.length > 0 && Date.now() < deadline; left = processesOf(folder)) {
    for (const pid of left) kill(pid);
    await pause(10);
  }
}
