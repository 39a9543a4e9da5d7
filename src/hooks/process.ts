import { type ChildProcess, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import type { HookRun } from '../agents/kit/dialect.ts';
import { signalGroup } from '../platform/processes.ts';

interface ProcessCall {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: string;
  readonly budgetMs: number;
}

/** Further output is read and discarded, because an answer is never that long. */
const MAX_OUTPUT_BYTES = 1 << 20;
/** Time to drain the pipes after the end, because a process left behind may hold them open forever. */
const DRAIN_MS = 250;
/** Between the request to end and the kill. */
const GRACE_MS = 500;

const running = new Set<ChildProcess>();

/** Runs a program until it ends or its time is up, then ends everything it started. */
export function runProcess(call: ProcessCall): Promise<HookRun> {
  return new Promise((resolve, reject) => {
    // A separate process group, so that it can be ended with all its children.
    const child = spawn(call.program, call.args, {
      cwd: isFolder(call.cwd) ? call.cwd : homedir(),
      env: call.env,
      detached: process.platform !== 'win32',
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    running.add(child);
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
    const finish = (exit: number | null, timedOut: boolean) => {
      clearTimeout(timer);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ exit, stdout: stdout(), stderr: stderr(), timedOut });
    };
    const timer = setTimeout(() => {
      endTree(child);
      finish(null, true);
    }, call.budgetMs);
    child.on('error', (error) => {
      clearTimeout(timer);
      running.delete(child);
      reject(new Error(`it could not be started: ${error.message}`));
    });
    child.on('exit', (code) => {
      running.delete(child);
      const late = setTimeout(() => finish(code, false), DRAIN_MS);
      child.on('close', () => {
        clearTimeout(late);
        finish(code, false);
      });
    });
    // Ignoring its input isn't a failure.
    child.stdin.on('error', () => {});
    child.stdin.end(call.stdin);
  });
}

/** Ends every running program when the daemon stops. */
export function endHookProcesses(): void {
  for (const child of running) endTree(child);
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const kept: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    if (size >= MAX_OUTPUT_BYTES) return;
    kept.push(chunk.subarray(0, MAX_OUTPUT_BYTES - size));
    size += chunk.length;
  });
  stream.on('error', () => {});
  return () => Buffer.concat(kept).toString('utf8');
}

function endTree(child: ChildProcess): void {
  const { pid } = child;
  running.delete(child);
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  signalGroup(pid, 'SIGTERM');
  setTimeout(() => signalGroup(pid, 'SIGKILL'), GRACE_MS).unref();
}

function isFolder(path: string | null): path is string {
  return path !== null && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
