import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { isGroupRunning, signalGroup } from '../../platform/processes.ts';
import { endProcesses } from './end-processes.ts';

/** Why Hookline ended the agent, if it did. */
type Cut = 'timeout' | 'SIGINT' | 'SIGTERM';

/** How the agent ended. */
export interface Ended {
  /** Null if a signal ended it, or if it never started. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The end of its output. */
  readonly stdout: string;
  readonly stderr: string;
  readonly cut: Cut | null;
}

interface AgentCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly run: string;
  readonly timeoutMs: number | null;
  /** The PID of a process that must not be ended with it. */
  readonly spared: () => number | null;
}

/** Time for the agent to exit after a signal. */
const GRACE_MS = 3_000;
/** Hooks and the end of the output may still be on their way when the agent has exited. */
const TRAILING_MS = 2_000;
const LOOK_EVERY_MS = 20;
const KEPT_CHARS = 4 << 20;

/** Runs an agent in its own process group until it exits, times out or the user interrupts it. */
export async function runAgent(command: AgentCommand): Promise<Ended> {
  const { program, args, cwd, env, timeoutMs } = command;
  const child = spawn(program, args, {
    cwd,
    env,
    detached: process.platform !== 'win32',
    // With a terminal, some agents would ask there.
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const stdout = kept(child.stdout);
  const stderr = kept(child.stderr);
  const { pid } = child;
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve({ code, signal }));
  });
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const cutting = cutShort(pid, command, timeoutMs);
  try {
    const { code, signal } = await ended;
    await trailing(pid, closed);
    const cut = cutting.why();
    if (cut !== null && pid !== undefined) await endProcesses({ ...command, pid });
    child.stdout.destroy();
    child.stderr.destroy();
    return { code, signal, stdout: stdout(), stderr: stderr(), cut };
  } finally {
    cutting.stop();
  }
}

/** Ends the agent on a timeout or a signal to us. A second signal ends it at once. */
function cutShort(pid: number | undefined, command: AgentCommand, timeoutMs: number | null) {
  let why: Cut | null = null;
  let grace: NodeJS.Timeout | undefined;
  const end = () => void (pid !== undefined && endProcesses({ ...command, pid }));
  const cut = (reason: Cut) => {
    if (why !== null || pid === undefined) return end();
    why = reason;
    signalGroup(pid, reason === 'SIGINT' ? 'SIGINT' : 'SIGTERM');
    grace = setTimeout(end, GRACE_MS);
  };
  const onInterrupt = () => cut('SIGINT');
  const onTerminate = () => cut('SIGTERM');
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  const timer = timeoutMs === null ? undefined : setTimeout(() => cut('timeout'), timeoutMs);
  return {
    why: () => why,
    stop() {
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onTerminate);
      clearTimeout(timer);
      clearTimeout(grace);
    },
  };
}

/**
 * Waits until the process group and its output have ended, up to a limit: it doesn't wait for processes that the agent
 * leaves running.
 */
async function trailing(pid: number | undefined, closed: Promise<void>): Promise<void> {
  const deadline = Date.now() + TRAILING_MS;
  await Promise.race([closed, pause(TRAILING_MS, undefined, { ref: false })]);
  while (pid !== undefined && isGroupRunning(pid) && Date.now() < deadline) await pause(LOOK_EVERY_MS);
}

/** Keeps the end of a stream. */
function kept(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text = `${text}${chunk}`.slice(-KEPT_CHARS);
  });
  return () => text;
}
