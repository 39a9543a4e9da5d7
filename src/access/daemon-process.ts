import { readFileSync } from 'node:fs';
import { readProcess, startOf } from './processes.ts';

/** A process that is a daemon in the background, and nobody looks into. */
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
 * The process, where it is provably a daemon of this user that may be ended for not answering: not one that somebody runs
 * in a terminal or debugs. Null where anything of that is otherwise, or cannot be seen.
 */
export async function idleDaemonProcess(pid: number): Promise<DaemonProcess | null> {
  const [info, started] = [await readProcess(pid), await startOf(pid)];
  if (info === null || started === null || info.uid !== process.getuid?.() || info.terminal !== null)
    return null;
  // The words that every daemon is started with, whoever starts it.
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
