import { spawn } from 'node:child_process';
import { signalGroup } from '../platform/processes.ts';

/** How a program ended. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly deadlineMs?: number;
  /** Kills it in the same way. */
  readonly signal?: AbortSignal;
}

/** No turn prints this much, so reading stops before the memory is full. */
const MOST_BYTES = 32 << 20;
/** Output of a killed program to show in the message. */
const LAST_CHARS = 4_000;

/** The program did not exit in time. */
export class DeadlineError extends Error {}

/** Runs a program until it exits; at the deadline kills it with its process group. */
export function run(program: string, args: readonly string[], options: RunOptions): Promise<Finished> {
  const deadlineMs = options.deadlineMs ?? 60_000;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: options.cwd, env: options.env, detached: true });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let bytes = 0;
    const kill = (why: string, Failure: new (message: string) => Error = Error) => {
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
      // A process that left the group may still hold the pipes.
      child.stdout.destroy();
      child.stderr.destroy();
      const said = describeFinished({ code: null, stdout: lastOf(stdout), stderr: lastOf(stderr) });
      reject(new Failure(`${program} ${args.join(' ')} was killed ${why}: ${said}`));
    };
    const interrupt = () => kill('because it was canceled');
    const deadline = setTimeout(() => kill(`after ${deadlineMs} ms`, DeadlineError), deadlineMs);
    options.signal?.addEventListener('abort', interrupt);
    const settle = () => {
      clearTimeout(deadline);
      options.signal?.removeEventListener('abort', interrupt);
    };
    const keep = (chunks: Buffer[]) => (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MOST_BYTES) kill(`because it printed more than ${MOST_BYTES >> 20} MB`);
    };
    child.stdout.on('data', keep(stdout));
    child.stderr.on('data', keep(stderr));
    // A program may exit without reading its input.
    child.stdin.on('error', () => {});
    child.stdin.end(options.input ?? '');
    child.on('error', (error) => {
      settle();
      reject(error);
    });
    child.on('close', (code) => {
      settle();
      resolve({ code, stdout: text(stdout), stderr: text(stderr) });
    });
  });
}

/** A program's output, for the message of a failed expectation. */
export function describeFinished(finished: Finished): string {
  return `exit ${finished.code}\nstdout: ${finished.stdout}\nstderr: ${finished.stderr}`;
}

function lastOf(chunks: readonly Buffer[]): string {
  return text(chunks).slice(-LAST_CHARS);
}

function text(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8');
}
