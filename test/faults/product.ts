import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { connect, stopDaemon } from '../../src/client/client.ts';
import { askAsScript } from '../../src/client/request.ts';
import { installForwarder } from '../../src/forwarder/install.ts';
import { readConfig } from '../../src/home/config.ts';
import { type HomePaths, homePaths } from '../../src/home/paths.ts';
import { isOfOthers, scriptIn } from '../../src/live/as-script.ts';
import { type RecordedEvent, readEventLine } from '../../src/live/recorded-event.ts';
import { scratchFolder } from '../../src/testing/scratch.ts';
import { VERSION } from '../../src/version.ts';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));
export const BIN: string = fileURLToPath(new URL('../../bin/hookline.js', import.meta.url));

/** The built product in a home of its own. */
export interface Product {
  readonly paths: HomePaths;
  readonly env: Readonly<Record<string, string>>;
  /** The folder that everything of this test is in; also the user's home folder. */
  readonly folder: string;
  /** `hookline …`, with a script key where it needs one. */
  run(args: readonly string[], options?: RunOptions): Promise<Ran>;
  /** Calls a hook as an agent does. */
  hook(
    forwarder: Forwarder,
    event: string,
    stdin: Input,
    env?: Readonly<Record<string, string>>,
  ): Promise<Ran>;
  events(): Promise<readonly RecordedEvent[]>;
  rules(yaml: string): void;
  daemonPid(): Promise<number | null>;
}

export type Input = string | Uint8Array;
export type Forwarder = 'native' | 'node';

/** The forwarders of this build. */
export const FORWARDERS: readonly Forwarder[] = existsSync(join(DIST, 'bin', 'hookline-forward'))
  ? ['native', 'node']
  : ['node'];
export const BEST_FORWARDER: Forwarder = FORWARDERS[0] ?? 'node';

export interface RunOptions {
  readonly input?: Input;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The lines of `events --json`. */
export function readEvents(stdout: string): readonly RecordedEvent[] {
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map(readEventLine).filter(isOfOthers);
}

const QUIET = 'packs: {recommended: off}\nrulesOff: [filesystem/write-system]\n';

/** A fresh home under a folder that goes away with the test, as its daemon does. */
export function scratchProduct(below = 'home', config = ''): Product {
  const folder = scratchFolder();
  const paths = homePaths(join(folder, below));
  mkdirSync(paths.rules, { recursive: true });
  // What is on by default would have opinions of its own: one pack, and a rule where the temp folder is among the
  // files of the system.
  writeFileSync(paths.config, `http: {port: 0}\n${QUIET}${config}`);
  installForwarder(paths.root, {
    distDir: DIST.replace(/\/$/, ''),
    version: VERSION,
    nodePath: process.execPath,
    envAllowList: ['CLAUDE_PROJECT_DIR', 'CLAUDE_ENV_FILE'],
    failure: readConfig(paths.config).failure,
  });
  const script = scriptIn(paths);
  onTestFinished(async () => {
    askAsScript(script.key);
    await stopDaemon(paths);
  });
  // Nothing of the environment of the test, which may itself run inside an agent.
  const env = {
    PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
    HOME: folder,
    HOOKLINE_HOME: paths.root,
    TMPDIR: tmpdir(),
    NO_COLOR: '1',
  };
  const run: Product['run'] = (given, options = {}) => {
    const { args, env: key } = script.call(given);
    return runProgram(
      process.execPath,
      [BIN, ...args],
      options.input ?? '',
      { ...env, ...key, ...options.env },
      options.cwd ?? folder,
    );
  };
  return {
    paths,
    env,
    folder,
    run,
    hook: (forwarder, event, stdin, more = {}) => {
      const [program, args] =
        forwarder === 'native'
          ? [join(paths.bin, 'hookline-forward'), []]
          : [process.execPath, [join(DIST, 'forward.js'), '--home', paths.root]];
      return runProgram(program, [...args, 'claude', event], stdin, { ...env, ...more }, folder);
    },
    events: async () => readEvents((await run(['events', '--json'])).stdout),
    rules: (yaml) => writeFileSync(join(paths.rules, 'rules.yaml'), yaml),
    daemonPid: async () => (await connect(paths))?.info.pid ?? null,
  };
}

/** Runs a program to its end. */
export function runProgram(
  program: string,
  args: readonly string[],
  input: Input,
  env: Readonly<Record<string, string>>,
  cwd: string,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, cwd });
    const out = collect(child);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...out() }));
    // A program may end without reading what it was given.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

function collect(child: ChildProcess): () => { stdout: string; stderr: string } {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
  return () => ({ stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() });
}

/** Waits for something that is bound to happen. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  deadlineMs = 20_000,
): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`did not happen within ${deadlineMs} ms: ${what}`);
    await pause(10);
  }
}

/** False for one that only waits to be collected by its parent. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = process.platform === 'linux' ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '';
    return stat.charAt(stat.lastIndexOf(')') + 2) !== 'Z';
  } catch {
    return false;
  }
}

/** Every file below a folder with what is in it. */
export function filesBelow(folder: string): readonly { readonly path: string; readonly content: Buffer }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, content: readFileSync(path) }));
}

/** The payload of a call of the shell. */
export function bashPayload(command: string, more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    session_id: 's1',
    transcript_path: '',
    cwd: '/tmp',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: 't1',
    ...more,
  });
}
