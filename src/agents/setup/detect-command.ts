import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { errorLine, oneLine } from '../../model/text.ts';
import { signalGroup } from '../../platform/processes.ts';
import type { Detection, SetupContext } from './setup.ts';

type Env = SetupContext['env'];

/** The file that a command name means on this PATH; null where there is none. */
export function findCommand(name: string, env: Env): string | null {
  const endings = process.platform === 'win32' ? (env.PATHEXT ?? '.EXE;.CMD').split(';') : [''];
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    // An empty part of PATH is the current folder: a project must not get to say what the client is.
    if (folder === '') continue;
    for (const ending of endings) {
      const path = resolve(join(folder, name + ending));
      if (isExecutable(path)) return path;
    }
  }
  return null;
}

interface VersionQuestion {
  readonly name: string;
  /** What keeps the client from updating itself or calling home while it is asked. */
  readonly quiet: Readonly<Record<string, string>>;
  /** The variable that says where the client keeps its files, where asking it makes some. */
  readonly scratch?: string;
  readonly timeoutMs?: number;
}

/** Looks for a client on the PATH and asks it for its version. Always answers, and in bounded time. */
export async function detectCommand(
  context: Pick<SetupContext, 'env' | 'home'>,
  question: VersionQuestion,
): Promise<Detection> {
  const path = findCommand(question.name, context.env);
  if (path === null) return { installed: false, path: null, version: null };
  const scratch = question.scratch === undefined ? null : mkdtempSync(join(tmpdir(), 'hookline-version-'));
  const env = {
    PATH: context.env.PATH,
    // As it is: the programs of version managers look there for what they start.
    HOME: context.home,
    ...windowsBasics(context.env),
    ...question.quiet,
    ...(scratch === null ? {} : { [question.scratch ?? '']: scratch }),
  };
  const { line, problem } = await firstLine(path, ['--version'], env, question.timeoutMs ?? 5_000);
  if (scratch !== null) rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  const version = versionIn(line ?? '');
  return { installed: true, path, version, ...(version === null && problem !== '' && { problem }) };
}

const LONGEST_VERSION = 64;

/** Null where there is none, or what looks like one is too long to be one: it is shown in tables and compared. */
function versionIn(line: string): string | null {
  const version = /\d+\.\d+\.\d+(?:[-+.]?\w+)*/.exec(line)?.[0] ?? null;
  return version !== null && version.length <= LONGEST_VERSION ? version : null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function windowsBasics(env: Env): Env {
  return process.platform === 'win32' ? { SystemRoot: env.SystemRoot, USERPROFILE: env.USERPROFILE } : {};
}

interface Said {
  readonly line: string | null;
  /** What it writes to stderr, where it prints nothing; empty where that is nothing either. */
  readonly problem: string;
}

/**
 * The first line a command prints. It does not wait for the end of the process: a client may leave a child behind
 * that keeps the pipe open, and then there is no end.
 */
function firstLine(path: string, args: readonly string[], env: Env, timeoutMs: number): Promise<Said> {
  return new Promise((answer) => {
    const detached = process.platform !== 'win32';
    const child = spawn(path, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached });
    let [text, errors] = ['', ''];
    const finish = (line: string | null) => {
      clearTimeout(timer);
      child.off('close', ended);
      child.stdout.destroy();
      child.stderr.destroy();
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
      child.unref();
      answer({ line, problem: oneLine(errorLine(errors), 200) });
    };
    const ended = () => finish(null);
    const timer = setTimeout(ended, timeoutMs);
    child.on('close', ended);
    child.on('error', ended);
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (/\n/.test(text) || text.length > 10_000) finish(text.split(/\r?\n/, 1).join(''));
    });
    child.stdout.on('end', () => {
      if (text !== '') finish(text);
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      if (errors.length < 10_000) errors += chunk;
    });
  });
}
