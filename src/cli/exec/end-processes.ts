import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { kill } from '../../platform/processes.ts';
import { isPartOfRun, RUN_VARIABLE } from '../../wire/run-id.ts';

/** What tells the processes of a run. */
interface RunProcesses {
  /** Of the agent, which leads its group. */
  readonly pid: number;
  readonly run: string;
  /** One that is not the run's, whoever started it: the daemon. */
  readonly spared: () => number | null;
}

const DEADLINE_MS = 5_000;
const LOOK_EVERY_MS = 20;

/** Ends everything that a run has started, also what has left its group. */
export async function endProcesses(of: RunProcesses): Promise<void> {
  if (process.platform === 'win32') return endTree(of.pid);
  const deadline = Date.now() + DEADLINE_MS;
  // Again, since one that is about to end may just have started another.
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
  /** The run that it was started in, where that can be seen. */
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
    // The name before it is in brackets and may hold anything.
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
    // It has ended meanwhile, or is another user's.
    return '';
  }
}

function endTree(pid: number): void {
  try {
    execFileSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', timeout: DEADLINE_MS });
  } catch {
    // It has ended by itself.
  }
}
