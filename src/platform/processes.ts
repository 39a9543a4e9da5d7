/** True if there is such a process; one of another user doesn't count. */
export function isRunning(pid: number): boolean {
  return signal(pid, 0);
}

/** Kills a process, if it hasn't ended already. */
export function kill(pid: number): void {
  signal(pid, 'SIGKILL');
}

/** Sends a signal to a process and its group. Windows has no groups, so only the process gets it. */
export function signalGroup(pid: number, name: NodeJS.Signals): void {
  signal(groupOf(pid), name);
}

/** True if any process of the group is left. */
export function isGroupRunning(pid: number): boolean {
  return signal(groupOf(pid), 0);
}

const groupOf = (pid: number): number => (process.platform === 'win32' ? pid : -pid);

/** False if there is no such process. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
