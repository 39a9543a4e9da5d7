import { messageOf } from '../model/errors.ts';
import type { NativeAnswer } from '../model/native.ts';
import { refuseDebugger } from '../platform/debugger.ts';
import { readRefusal } from '../wire/fail-closed.ts';
import { pickEnv, readForwarderSettings } from '../wire/forwarder-settings.ts';
import { homeFolder } from '../wire/home-folder.ts';
import { newRequestId, requestLine } from '../wire/request.ts';
import { judge } from './judge.ts';
import type { Fallback } from './parallel-fallback.ts';
import { readStdin, writeAll } from './standard-streams.ts';

interface Arguments {
  readonly agent: string;
  readonly event: string | null;
  readonly home: string;
  /** Set if the native forwarder has already asked the daemon: the ID of that request. */
  readonly triedAs: string | null;
}

interface Outcome {
  readonly code: 0 | 1 | 2;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * `[--home <folder>] [--fallback] <agent> [<event>]`, or `--version`, or `--start`. The wrapper that setup installs
 * names its own home, because a repository's settings can set variables of hooks, and those must not select another
 * home's rules.
 */
function readArguments(given: readonly string[], env: NodeJS.ProcessEnv): Arguments | null {
  const rest = [...given];
  const home = rest[0] === '--home' ? rest.splice(0, 2)[1] : undefined;
  const isFallback = rest[0] === '--fallback' && rest.shift() !== undefined;
  const [agent, event] = rest;
  if (agent === undefined) return null;
  return {
    agent,
    event: event ?? null,
    home: home ?? homeFolder(env),
    triedAs: isFallback ? (env.HOOKLINE_REQUEST_ID ?? newRequestId(Date.now())) : null,
  };
}

async function run(call: Arguments | null, env: NodeJS.ProcessEnv): Promise<Outcome> {
  if (!call) return failure('usage: forward.cjs <agent> [<event>], with the JSON of the hook on stdin');
  const { agent, event, home, triedAs } = call;
  if (agent === '--version') {
    const { VERSION } = await import('./seldom.ts');
    return { code: 0, stdout: `hookline-forward ${VERSION} (JavaScript)\n`, stderr: '' };
  }
  // A forwarder that waits for the daemon needs nothing else.
  if (agent === '--start') {
    const { startDaemonFirst } = await import('./seldom.ts');
    startDaemonFirst(home);
    return { code: 0, stdout: '', stderr: '' };
  }
  const stdin = readStdin();
  const ts = Date.now();
  const id = triedAs ?? newRequestId(ts);
  const picked = pickEnv(readForwarderSettings(home)?.env ?? [], env);
  const fallback: Fallback = async ({ startsDaemon, signal }) => {
    const { fallbackInThread, whenOrphaned } = await import('./seldom.ts');
    // The native forwarder reads our exit code; if it was killed, we end too.
    if (triedAs !== null) whenOrphaned(() => process.exit(1));
    // Before the call is evaluated, because others wait for the daemon.
    if (startsDaemon) await startDaemon(home);
    const given = { home, requestId: id, agent, event, env: picked, stdin: stdin.bytes, ts };
    return fallbackInThread({ ...given, ...(startsDaemon ? { isStarted: true } : {}) }, { signal });
  };
  try {
    if (triedAs === null) {
      const line = (sentAt = ts) => requestLine({ id, ts: sentAt, agent, event, env: picked, stdin });
      return outcomeOf(await judge({ home, id, line, fallback, startDaemon: () => startDaemon(home) }));
    }
    return outcomeOf(await fallback({ startsDaemon: env.HOOKLINE_STARTS_DAEMON === '1' }));
  } catch (error) {
    const why = `${triedAs === null ? '' : 'the fallback failed: '}${messageOf(error)}`;
    return unchecked(call, `hookline: this call was not checked: ${why}; run \`hookline doctor\``);
  }
}

/** If the daemon can't be started, the call is evaluated here. */
async function startDaemon(home: string): Promise<void> {
  try {
    const { startDaemonFirst } = await import('./seldom.ts');
    startDaemonFirst(home);
  } catch {
    // `hookline doctor` reports what is wrong with the home.
  }
}

/** For a call that couldn't be evaluated: a denial in failure mode closed, otherwise a failure. */
function unchecked(call: Arguments | null, line: string): Outcome {
  const refusal = call?.event == null ? null : readRefusal(call.home, call.agent, call.event);
  return refusal ? outcomeOf(refusal) : failure(line);
}

function outcomeOf(answer: NativeAnswer): Outcome {
  switch (answer.action) {
    case 'passthrough':
      return { code: 0, stdout: '', stderr: '' };
    case 'json_output':
      return { code: 0, stdout: `${JSON.stringify(answer.stdout_json)}\n`, stderr: '' };
    case 'block_with_stderr':
      return { code: 2, stdout: '', stderr: answer.stderr };
  }
}

function failure(line: string): Outcome {
  return { code: 1, stdout: '', stderr: `${line.replace(/\s*\n\s*/g, ' ')}\n` };
}

/** Exits once everything is written. A failed write to stdout is a failure; one to stderr isn't. */
function leave({ code, stdout, stderr }: Outcome): never {
  if (!writeAll(1, stdout)) process.exit(1);
  writeAll(2, stderr);
  process.exit(code);
}

// With a debugger, any process of the same user could answer for us.
refuseDebugger();
const called = readArguments(process.argv.slice(2), process.env);
// Agents read exit code 2 as a decision, so any error is 1, unless the failure mode is closed.
const broken = (error: unknown) => unchecked(called, `hookline: ${messageOf(error)}`);
process.on('uncaughtException', (error) => leave(broken(error)));
void run(called, process.env).catch(broken).then(leave);
