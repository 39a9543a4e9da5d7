import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { kill } from '../../platform/processes.ts';
import { isPartOfRun, RUN_VARIABLE } from '../../wire/run-id.ts';

/** What identifies the processes of a run. */
interface RunProcesses {
  /** The agent, which leads its process group. */
  readonly pid: number;
  readonly run: string;
  /** The daemon is not part of the run, even if the run started it. */
  readonly spared: () => number | null;
}

const DEADLINE_MS = 5_000;
const LOOK_EVERY_MS = 20;

/** Ends every process that a run started, including those that left its group. */
export async function endProcesses(of: RunProcesses): Promise<void> {
  if (process.platform === 'win32') return endTree(of.pid);
  const deadline = Date.now() + DEADLINE_MS;
  // Repeated, because a process that is about to end may just have started another one.
  for (let left = processesOf(of); left.length > 0 && Date.now() < deadline; left = processesOf(of)) {
    for (const pid of left) kill(pid);
    await pause(LOOK_EVERY_MS);
  }
}

interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly isDead: boolean;
  /** The run that a process belongs to, if it can be determined. */
  readonly run: string | null;
}

function processesOf({ pid, run, spared }: RunProcesses): readonly number[] {
  const running = process.platform === 'linux' ? fromProc() : fromPs();
  const found = new Set([pid]);
  const left = new Set([process.pid, spared()]);
  const isOurs = (one: Running) => one.group === pid || isPartOfRun(one.run, run) || found.has(one.parent);
  for (let before = 0; before !== found.size; ) {
    before = found.size;
    for (const one of running) if (isOurs(one) && !left.has(one.pid)) found.add(one.pid);
  }
  return running.filter((one) => found.has(one.pid) && !one.isDead).map((one) => one.pid);
}

function fromProc(): readonly Running[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const stat = seen(`/proc/${name}/stat`);
    // The process name in front is in parentheses and may contain anything.
    const [state = '', parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (group === undefined) return [];
    const variable = seen(`/proc/${name}/environ`)
      .split('\0')
      .find((one) => one.startsWith(`${RUN_VARIABLE}=`));
    const run = variable?.slice(RUN_VARIABLE.length + 1) ?? null;
    const isDead = state === 'Z' || state === 'X';
    return [{ pid: Number(name), parent: Number(parent), group: Number(group), isDead, run }];
  });
}

function fromPs(): readonly Running[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat='], {
    encoding: 'utf8',
    timeout: DEADLINE_MS,
  }).split('\n');
  return lines.flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/);
    if (pid === undefined || state === undefined) return [];
    const isDead = state.startsWith('Z');
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), isDead, run: null }];
  });
}

function seen(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It has ended by now, or belongs to another user.
    return '';
  }
}

function endTree(pid: number): void {
  try {
    execFileSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', timeout: DEADLINE_MS });
  } catch {
    // It ended by itself.
  }
}
