import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../model/errors.ts';
import type { HookAnswer, HookContext } from '../define.ts';
import type { Declared, FromWorker, RunMessage, ToWorker, WorkerStart } from './protocol.ts';

// Runs in a worker thread: one file of hooks, one event at a time. It is the entry `hook-worker` of the build.

interface Runnable {
  run(event: unknown, context: HookContext): HookAnswer | Promise<HookAnswer>;
}

const MAX_LOG_LINES = 100;
const MAX_LOG_CHARS = 2_000;

const { file, api, within, instead }: WorkerStart = workerData;
const say = (message: FromWorker) => parentPort?.postMessage(message);
let logged = 0;

function log(...parts: readonly unknown[]): void {
  logged += 1;
  if (logged <= MAX_LOG_LINES) say({ type: 'log', text: format(...parts).slice(0, MAX_LOG_CHARS) });
}

/** A hook's output goes to the log, with a limit, because all of it would pass through the daemon's memory. */
function quieten(): void {
  for (const name of ['log', 'info', 'debug', 'warn', 'error'] as const) console[name] = log;
  const write = (text: unknown) => {
    log(String(text).trimEnd());
    return true;
  };
  process.stdout.write = write;
  process.stderr.write = write;
}

function isRunnable(value: unknown): value is Runnable & Declared {
  return typeof value === 'object' && value !== null && 'run' in value && typeof value.run === 'function';
}

async function load(): Promise<readonly (Runnable & Declared)[]> {
  register(new URL('./hook-loader.js', import.meta.url), { data: { api, within, instead } });
  const { default: exported }: { default?: unknown } = await import(pathToFileURL(file).href);
  const hooks: unknown[] = Array.isArray(exported) ? exported : [exported];
  const wrong = hooks.find((one) => !isRunnable(one));
  if (hooks.length === 0 || wrong !== undefined || exported === undefined)
    throw new Error('its default export was not made by defineHook()');
  return hooks.filter(isRunnable);
}

let abort = new AbortController();

async function run(hooks: readonly Runnable[], { hook, event, session }: RunMessage): Promise<void> {
  abort = new AbortController();
  logged = 0;
  try {
    const response = await hooks[hook]?.run(event, { session, log, signal: abort.signal });
    say({ type: 'answer', response, state: session.state });
  } catch (error) {
    say({ type: 'threw', message: messageOf(error) });
  }
}

quieten();
try {
  const hooks = await load();
  parentPort?.on('message', (message: ToWorker) => {
    if (message.type === 'abort') abort.abort(new Error('it timed out'));
    else void run(hooks, message);
  });
  say({
    type: 'loaded',
    // Each value separately: one that can't be copied to another thread must not hide the others.
    hooks: hooks.map(({ name, on, tool, agent, timeoutMs }) => ({ name, on, tool, agent, timeoutMs })),
  });
} catch (error) {
  say({ type: 'broken', message: messageOf(error) });
}
