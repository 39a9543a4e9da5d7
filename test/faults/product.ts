import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { fetchApprovals } from '../../src/client/approvals.ts';
import { connect, stopDaemon } from '../../src/client/client.ts';
import { readHistory } from '../../src/client/history.ts';
import { askAsScript } from '../../src/client/request.ts';
import { installForwarder } from '../../src/forwarder/install.ts';
import { readConfig } from '../../src/home/config.ts';
import { type HomePaths, homePaths } from '../../src/home/paths.ts';
import { isOfOthers, scriptIn } from '../../src/live/as-script.ts';
import { type RecordedEvent, readEventLine } from '../../src/live/recorded-event.ts';
import { packNames } from '../../src/rules/pack.ts';
import { toPublicEvent } from '../../src/store/read/public-event.ts';
import { listEvents } from '../../src/store/read/queries.ts';
import { VERSION } from '../../src/version.ts';
import { scratchFolder } from '../support/scratch.ts';
import { PATIENCE_MS, until as waitUntil } from '../support/until.ts';
import { runHere } from './here.ts';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));
export const BIN: string = fileURLToPath(new URL('../../bin/hookline.js', import.meta.url));

/** The built product in a home of its own. */
export interface Product {
  readonly paths: HomePaths;
  readonly env: Readonly<Record<string, string>>;
  /** The folder that everything of this test is in; also the user's home folder. */
  readonly folder: string;
  /** `hookline …` as a process, with a script key where it needs one. */
  run(args: readonly string[], options?: RunOptions): Promise<Ran>;
  /** The same in the process of the test, for a command that only reads. */
  read(args: readonly string[], options?: Omit<RunOptions, 'input'>): Promise<Ran>;
  /** Starts the built daemon, if none answers, without `hookline up`. */
  up(): Promise<void>;
  /** Stops it without `hookline down`. */
  down(): Promise<void>;
  /** Calls a hook as an agent does. */
  hook(
    forwarder: Forwarder,
    event: string,
    stdin: Input,
    env?: Readonly<Record<string, string>>,
  ): Promise<Ran>;
  /** All that is recorded or spooled. */
  events(): Promise<readonly RecordedEvent[]>;
  /** The ids of the approvals that wait. */
  pending(): Promise<readonly string[]>;
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

interface RunOptions {
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

/**
 * To read all packs takes a program of ours 0.8 s, most of its start. `default` is what a user gets, but for one pack
 * and one rule: where the temp folder is among the files of the system, every test would meet it.
 */
const PACKS = {
  default: 'packs: {recommended: off}\ndisabledRules: [filesystem/write-system]\n',
  none: `packs: {${packNames()
    .map((name) => `${name}: off`)
    .join(', ')}}\n`,
};

interface ProductOptions {
  /** Where its home is in the folder. */
  readonly below?: string;
  /** More of config.yaml. */
  readonly config?: string;
  /** The packs that apply. Tests that mean a rule of a pack, or expect no decision from packs, need them. */
  readonly packs?: keyof typeof PACKS;
}

/** A fresh home under a folder that goes away with the test, as its daemon does. */
export function scratchProduct({
  below = 'home',
  config = '',
  packs = 'none',
}: ProductOptions = {}): Product {
  const folder = scratchFolder();
  const paths = homePaths(join(folder, below));
  mkdirSync(paths.rules, { recursive: true });
  writeFileSync(paths.config, `http: {port: 0}\n${PACKS[packs]}${config}`);
  installForwarder(paths.root, {
    distDir: DIST.replace(/\/$/, ''),
    version: VERSION,
    nodePath: process.execPath,
    envAllowList: ['CLAUDE_PROJECT_DIR', 'CLAUDE_ENV_FILE'],
    failure: readConfig(paths.config).failure,
  });
  const script = scriptIn(paths);
  const down = async () => {
    askAsScript(script.key);
    await stopDaemon(paths);
  };
  onTestFinished(down);
  const env = environmentOf(folder, paths);
  const called = (given: readonly string[], options: RunOptions) => {
    const { args, env: key } = script.call(given);
    return { program: BIN, args, env: { ...env, ...key, ...options.env }, cwd: options.cwd ?? folder };
  };
  return {
    paths,
    env,
    folder,
    run: (given, options = {}) => {
      const { program, args, env: its, cwd } = called(given, options);
      return runProgram(process.execPath, [program, ...args], options.input ?? '', its, cwd);
    },
    read: (given, options = {}) => runHere(called(given, options)),
    up: () => startDaemon(paths, env),
    down,
    hook: (forwarder, event, stdin, more = {}) => {
      const [program, ...args] = forwarderIn(paths, forwarder);
      return runProgram(program, [...args, 'claude', event], stdin, { ...env, ...more }, folder);
    },
    events: () => eventsIn(paths),
    pending: () => pendingIn(paths),
    rules: (yaml) => writeFileSync(join(paths.rules, 'rules.yaml'), yaml),
    daemonPid: async () => (await connect(paths))?.info.pid ?? null,
  };
}

/** Nothing of the environment of the test, which may itself run inside an agent. */
export function environmentOf(folder: string, paths: HomePaths): Readonly<Record<string, string>> {
  return {
    PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
    HOME: folder,
    USERPROFILE: folder,
    HOOKLINE_HOME: paths.root,
    TMPDIR: tmpdir(),
    NO_COLOR: '1',
  };
}

function forwarderIn(paths: HomePaths, forwarder: Forwarder): readonly [program: string, ...args: string[]] {
  return forwarder === 'native'
    ? [join(paths.bin, 'hookline-forward')]
    : [process.execPath, join(DIST, 'forward.cjs'), '--home', paths.root];
}

/** What `events --json` prints. */
async function eventsIn(paths: HomePaths): Promise<readonly RecordedEvent[]> {
  const all = await readHistory(paths, (db) => listEvents(db).map(toPublicEvent));
  return readEvents(all.map((event) => JSON.stringify(event)).join('\n'));
}

/** Without a daemon nothing can wait, and a test that expects just that would learn nothing. */
async function pendingIn(paths: HomePaths): Promise<readonly string[]> {
  const client = await connect(paths);
  if (client === null) throw new Error('no daemon answers');
  return (await fetchApprovals(client)).pending.map(({ id }) => id);
}

/** As `hookline up` does, with one process less. */
async function startDaemon(paths: HomePaths, env: Product['env']): Promise<void> {
  if ((await connect(paths)) !== null) return;
  const child = spawn(process.execPath, [BIN, 'daemon', '--quiet'], {
    env,
    cwd: paths.root,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = collect(child);
  await until('the daemon answers', async () => {
    if (child.exitCode !== null) throw new Error(`the daemon ended (${child.exitCode}): ${said().stderr}`);
    return (await connect(paths)) !== null;
  });
  child.unref();
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

/** Waits for something that is bound to happen, and names it where it does not. */
export function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  return waitUntil(condition, PATIENCE_MS, what);
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
