import { readFileSync } from 'node:fs';
import { readProcess, startOf } from './processes.ts';

/** A background daemon that is not being debugged. */
export interface DaemonProcess {
  readonly pid: number;
  /** Numbers are used again: both together name one process. */
  readonly started: string;
  /** A signal has stopped it. */
  readonly isStopped: boolean;
  /** How much longer it may be at its first work, and not answer for that reason. */
  readonly youngForMs: number;
}

const YOUNG_MS = 5_000;

/**
 * Returns the process if it is provably a daemon of this user that may be ended when it hangs: not one in a terminal or
 * under a debugger. Null if any of that is otherwise, or unknown.
 */
export async function idleDaemonProcess(pid: number): Promise<DaemonProcess | null> {
  const [info, started] = [await readProcess(pid), await startOf(pid)];
  if (info === null || started === null || info.uid !== process.getuid?.() || info.terminal !== null)
    return null;
  // Every start of a daemon uses these words.
  if (!info.args.includes('daemon') || info.args.some((word) => word.startsWith('--inspect'))) return null;
  const seen = process.platform === 'linux' ? lookInto(pid, started) : { isStopped: false, youngForMs: 0 };
  return seen && { pid, started, ...seen };
}

function lookInto(pid: number, started: string): Pick<DaemonProcess, 'isStopped' | 'youngForMs'> | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    if (!/^TracerPid:\s+0$/m.test(status)) return null;
    const [uptime = 0] = readFileSync('/proc/uptime', 'utf8').split(' ').map(Number);
    // In hundredths of a second since the machine started.
    const ageMs = uptime * 1_000 - Number(started) * 10;
    return { isStopped: /^State:\s+T/m.test(status), youngForMs: Math.max(0, YOUNG_MS - ageMs) };
  } catch {
    return null;
  }
}
