import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { isObject, parseJson } from '../../../model/json.ts';
import { type NativeAnswer, PASSTHROUGH } from '../../../model/native.ts';
import { readForwarderSettings } from '../../../wire/forwarder-settings.ts';
import { MAX_HOLD_MS } from '../../../wire/limits.ts';

/** Which forwarder to call, and for whom. */
interface ForwardedBy {
  readonly agent: string;
  readonly home: string;
  readonly forwarder: string;
}

/** A call that the daemon may have seen, and did not answer. */
interface Tried {
  readonly id: string;
  readonly event: string;
  readonly payload: Buffer;
  /** It has not seen it: the forwarder is to ask it. */
  readonly asksAgain: boolean;
}

/** What the forwarder answers; null where it does not, or not in time. It brings the rules and starts the daemon. */
export function forward(
  by: ForwardedBy,
  { id, event, payload, asksAgain }: Tried,
  limitMs: number | null,
): Promise<NativeAnswer | null> {
  return new Promise((resolve) => {
    const [program, args] = asksAgain ? commandOf(by, event) : fallbackOf(by, event);
    const env = { ...environment(), HOOKLINE_REQUEST_ID: id };
    const child = spawn(program, args, { env, stdio: 'pipe', windowsHide: true });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    const finish = (answer: NativeAnswer | null) => {
      clearTimeout(timer);
      resolve(answer);
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      finish(null);
    }, limitMs ?? MAX_HOLD_MS);
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', () => finish(null));
    child.on('close', (code) => finish(answerOf(code, Buffer.concat(out), Buffer.concat(err))));
    // A forwarder that is gone does not read.
    child.stdin.on('error', () => {});
    child.stdin.end(payload);
  });
}

/** Asks the forwarder from the start, while everything else in this process stands still. */
export function forwardSync(by: ForwardedBy, event: string, payload: Buffer): NativeAnswer | null {
  const [program, args] = commandOf(by, event);
  const limits = { timeout: MAX_HOLD_MS, killSignal: 'SIGKILL', maxBuffer: 1 << 26 } as const;
  const run: SpawnSyncReturns<Buffer> = spawnSync(program, args, {
    env: environment(),
    input: payload,
    windowsHide: true,
    ...limits,
  });
  return answerOf(run.status, run.stdout ?? Buffer.of(), run.stderr ?? Buffer.of());
}

/**
 * What the forwarder itself does when the daemon has not answered: it judges the call, under the same id, so that a daemon
 * that wakes up later has it once.
 */
function fallbackOf(by: ForwardedBy, event: string): [string, string[]] {
  const settings = readForwarderSettings(by.home);
  if (settings === null) return commandOf(by, event);
  return [settings.node, [settings.script, '--home', by.home, '--fallback', by.agent, event]];
}

function commandOf({ agent, forwarder }: ForwardedBy, event: string): [string, string[]] {
  const args = [agent, event];
  return forwarder.endsWith('.js') ? ['node', [forwarder, ...args]] : [forwarder, args];
}

/** NODE_OPTIONS makes Node run any code, and a repository may have set it. */
function environment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, ...env } = process.env;
  return env;
}

function answerOf(code: number | null, out: Buffer, err: Buffer): NativeAnswer | null {
  if (code === 2) return { action: 'block_with_stderr', stderr: err.toString('utf8') };
  if (code !== 0) return null;
  const text = out.toString('utf8').trim();
  if (text === '') return PASSTHROUGH;
  const json = parseJson(text);
  return isObject(json) ? { action: 'json_output', stdout_json: json } : null;
}
