import type { NativeAnswer } from '../agents/agent.ts';
import { homeFolder } from '../home/paths.ts';
import { exchange } from './exchange.ts';
import { pickEnv, readForwarderSettings, socketFolderProblem, socketPath } from './home.ts';
import { newRequestId, requestLine, type Stdin } from './request.ts';

/** Above this stdin is counted, but no longer kept. */
const MAX_KEPT_BYTES = 64 << 20;

interface Arguments {
  readonly agent: string;
  readonly event: string | null;
  readonly home: string;
  /** Given when the native forwarder has tried the daemon already: the id under which it did. */
  readonly triedAs: string | null;
}

interface Outcome {
  readonly code: 0 | 1 | 2;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * `[--home <folder>] [--fallback] <agent> [<event>]`. The wrapper that setup installs names its own home: hooks run
 * with variables that a repository's settings can set, and those must not lead us to somebody else's rules.
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

/** Reads to the end, whatever the size: an agent whose pipe is closed early may take that for a failure. */
async function readStdin(): Promise<Stdin> {
  const kept: Buffer[] = [];
  let total = 0;
  for await (const data of process.stdin) {
    const chunk: Buffer = data;
    if (total < MAX_KEPT_BYTES) kept.push(chunk.subarray(0, MAX_KEPT_BYTES - total));
    total += chunk.length;
  }
  return { bytes: Buffer.concat(kept), total };
}

async function run(given: readonly string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  const call = readArguments(given, env);
  if (!call) return failure('usage: forward.js <agent> [<event>], with the JSON of the hook on stdin');
  const { agent, event, home, triedAs } = call;
  const stdin = await readStdin();
  const ts = Date.now();
  const id = triedAs ?? newRequestId(ts);
  const picked = pickEnv(readForwarderSettings(home)?.env ?? [], env);
  let why: string | null = null;
  if (triedAs === null) {
    why = socketFolderProblem(home);
    if (why === null) {
      const line = requestLine({ id, ts, agent, event, env: picked, stdin });
      const result = await exchange(socketPath(home), line, id);
      if (result.answer) return outcomeOf(result.answer);
      why = result.why;
    }
  }
  try {
    const { fallback } = await import('./fallback.ts');
    return outcomeOf(
      await fallback({ home, requestId: id, agent, event, env: picked, stdin: stdin.bytes, ts }),
    );
  } catch (error) {
    const also = messageOf(error);
    return failure(
      `hookline: this call was not checked: ${why === null ? '' : `${why}; and `}the fallback failed: ${also}; ` +
        'run `hookline doctor`',
    );
  }
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Leaves once everything is written. A stdout that nobody reads is a failure; a stderr that nobody reads is not. */
function leave({ code, stdout, stderr }: Outcome): void {
  process.stdout.on('error', () => process.exit(1));
  process.stderr.on('error', () => process.exit(code));
  process.stdout.write(stdout, () => process.stderr.write(stderr, () => process.exit(code)));
}

// Whatever breaks, agents read code 2 as a decision: a failure is always 1.
process.on('uncaughtException', (error) => leave(failure(`hookline: ${messageOf(error)}`)));
leave(
  await run(process.argv.slice(2), process.env).catch((error) => failure(`hookline: ${messageOf(error)}`)),
);
