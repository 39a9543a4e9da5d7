import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { HooklineError } from '../../../model/errors.ts';
import type { AgentBridge, BridgeHost } from '../../agent.ts';
import { findCommand } from '../../setup/detect-command.ts';
import { configFlags, opensTerminal, parseExec, parseJoin, usageError } from './arguments.ts';
import { type Address, overStdio, overWebSocket } from './connect.ts';
import { execute } from './exec.ts';
import { serveGateway } from './gateway.ts';
import { join } from './join.ts';
import type { ClientInfo } from './peer.ts';
import type { ObserverParts } from './thread-observer.ts';

/** Starts Codex, or joins one that runs, with Hookline answering its approvals. */
export const bridge: AgentBridge = {
  forms: [
    ['[options of codex]', 'the terminal client; your rules decide every command and patch, then you'],
    ['exec [options] <prompt>', 'one prompt without a person to ask; what no rule allows is declined'],
    ['join [address]', 'join a running app-server and answer next to its other clients'],
  ],
  options: [
    ['-m, --model NAME', 'exec: the model'],
    ['-s, --sandbox MODE', 'exec: read-only, workspace-write or danger-full-access'],
    ['-C, --cd DIR', 'the directory to work in'],
    ['-c, --config KEY=VALUE', 'a setting of codex, for this run'],
    ['--token-file FILE', 'join: the file that has the token of a ws:// address'],
    ['--token-env NAME', 'join: the variable that has it'],
  ],
  examples: [
    ['', 'work as always, with approvals through Hookline'],
    ['exec "run the tests"', 'a script, or a job at night'],
    ['join', 'the server that every plain `codex` shares'],
    ['join ws://127.0.0.1:4500 --token-file /run/codex.token', 'any other server'],
  ],
  run: async (args, host) => {
    const [first = '', ...rest] = args;
    if (first === 'join') return await joinServer(rest, host);
    const codex = findCommand('codex', host.env);
    if (codex === null) {
      throw new HooklineError('AGENT_MISSING', 'There is no `codex` on your PATH.', {
        hint: 'Install it with `npm install -g @openai/codex`, then try again.',
      });
    }
    if (first === 'exec' || first === 'e') return await runExec(codex, rest, host);
    // What does not talk to a model has no approvals either: `login`, `mcp`, `--version`.
    if (opensTerminal(args)) return await runTerminal(codex, args, host);
    return await ended(spawn(codex, args, { stdio: 'inherit' }));
  },
};

function partsOf(host: BridgeHost): Omit<ObserverParts, 'ask'> & { readonly client: ClientInfo } {
  return {
    call: host.call,
    newId: host.newId,
    now: Date.now,
    problem: (message) => host.say(message),
    client: { name: 'hookline', title: 'Hookline', version: host.version },
  };
}

async function runExec(codex: string, args: readonly string[], host: BridgeHost): Promise<number> {
  const { task, config } = parseExec(args, host.cwd);
  const child = spawn(codex, [...config, 'app-server'], {
    cwd: task.cwd,
    env: definedOf(host.env),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const done = await execute(overStdio(child), task, {
    ...partsOf(host),
    signal: host.signal,
    answer: host.print,
  });
  return done ? 0 : 1;
}

async function joinServer(args: readonly string[], host: BridgeHost): Promise<number> {
  const address = addressOf(args, host);
  await join(overWebSocket(address), {
    ...partsOf(host),
    signal: host.signal,
    wait: (ms) => pause(ms, undefined, { signal: host.signal }).catch(() => {}),
    say: (line) => host.say(`${address.url}: ${line}`),
  });
  return 0;
}

function addressOf(args: readonly string[], { env }: BridgeHost): Address {
  const { url, tokenFile, tokenEnv } = parseJoin(args);
  const home = env.CODEX_HOME || joinPath(env.HOME || homedir(), '.codex');
  const shared = `unix://${joinPath(home, 'app-server-control', 'app-server-control.sock')}`;
  if (tokenEnv !== null && !env[tokenEnv]) throw usageError(`The variable ${tokenEnv} is not set.`);
  return { url: url ?? shared, token: tokenFile === null ? tokenOf(env, tokenEnv) : readToken(tokenFile) };
}

function tokenOf(env: BridgeHost['env'], name: string | null): string | null {
  return (name === null ? null : env[name]) ?? null;
}

function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new HooklineError('USAGE', `The token in ${file} cannot be read.`, { cause });
  }
}

/** The terminal client on a server of ours, with the gateway between them. */
async function runTerminal(codex: string, args: readonly string[], host: BridgeHost): Promise<number> {
  if (process.platform === 'win32') {
    throw usageError('The terminal client can be attached only where there are Unix sockets.');
  }
  // The folder is this user's alone: write access to the sockets is enough to answer approvals.
  const folder = await mkdtemp(joinPath(tmpdir(), 'hookline-'));
  const [behind, front] = ['server.sock', 'gateway.sock'].map((name) => joinPath(folder, name));
  const env = definedOf(host.env);
  const server = spawn(codex, [...configFlags(args), 'app-server', '--listen', `unix://${behind}`], {
    cwd: host.cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const connect = overWebSocket({ url: `unix://${behind}`, token: null });
  try {
    await listening(server, connect);
    const gateway = await serveGateway(front ?? '', connect, partsOf(host));
    const remote = ['--remote', `unix://${front}`];
    // The server's folder would be taken otherwise, which need not be this one.
    const here = hasFolder(args) ? [] : ['-C', host.cwd];
    const terminal = spawn(codex, [...remote, ...here, ...args], { cwd: host.cwd, env, stdio: 'inherit' });
    const code = await ended(terminal);
    await gateway.close();
    // What the client says last names a server that is gone by now.
    host.say('`hookline codex resume` goes on from here.');
    return code;
  } finally {
    server.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

const START_DEADLINE_MS = 20_000;

async function listening(server: ChildProcess, connect: ReturnType<typeof overWebSocket>): Promise<void> {
  let said = '';
  server.stderr?.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-2_000);
  });
  const deadline = Date.now() + START_DEADLINE_MS;
  for (;;) {
    const line = await connect({ message: () => {}, closed: () => {} }).catch(() => null);
    if (line) return line.close();
    if (server.exitCode !== null || Date.now() > deadline) {
      throw new HooklineError('AGENT_UNREACHABLE', `The app-server did not start.\n${said.trim()}`);
    }
    await pause(50);
  }
}

function ended(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

function hasFolder(args: readonly string[]): boolean {
  return args.some((arg) => arg === '-C' || arg === '--cd' || arg.startsWith('--cd='));
}

function definedOf(env: BridgeHost['env']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}
