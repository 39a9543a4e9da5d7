/** Whether there is such a process; one of another user counts as none. */
export function isRunning(pid: number): boolean {
  return signal(pid, 0);
}

/** Ends a process that has no say in it, if it has not ended already. */
export function kill(pid: number): void {
  signal(pid, 'SIGKILL');
}

/** Sends a signal to a process and what is in its group. Windows has no groups: there only the process gets it. */
export function signalGroup(pid: number, name: NodeJS.Signals): void {
  signal(groupOf(pid), name);
}

/** Whether anything is left of the group. */
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
