import { closeSync } from 'node:fs';
import type { RequestOptions } from 'node:http';
import * as v from 'valibot';
import { HooklineError, isErrorCode } from '../model/errors.ts';
import { openRegularFile } from '../platform/bounded-files.ts';

/** The response over the daemon's socket. */
interface Response {
  readonly status: number;
  readonly body: unknown;
}

const refusal = v.object({
  error: v.object({ code: v.string(), message: v.string(), hint: v.nullish(v.string()) }),
});
const challenged = v.object({ challenge: v.object({ id: v.string(), file: v.string() }) });

let scriptKey: string | null = null;

/**
 * From now on this process asks as the script that has this key, and no longer as a person; null ends that.
 * @example
 * import { askAsScript } from 'hookline/client';
 *
 * // The key is from `hookline script-key create`.
 * askAsScript(process.env.HOOKLINE_SCRIPT_KEY ?? null);
 */
export function askAsScript(key: string | null): void {
  scriptKey = key;
}

/** The key that this process uses; null for a person. */
export function scriptKeyInUse(): string | null {
  return scriptKey;
}

const DEADLINE_MS = 10_000;

/** The peer accepts the connection but doesn't respond. */
export class SilentError extends Error {}

/** Sends a request to the daemon at a socket. Throws the daemon's error, or that it doesn't respond. */
export async function ask(
  socket: string,
  method: string,
  path: string,
  body?: unknown,
  deadlineMs: number = DEADLINE_MS,
): Promise<unknown> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const sendWith = (headers: Readonly<Record<string, string>>) =>
    send({ socketPath: socket, method, path, deadlineMs }, text, headers);
  const first = await sendWith({});
  const challenge = first.status === 428 ? v.safeParse(challenged, first.body) : null;
  const response = challenge?.success ? await prove(challenge.output.challenge, sendWith) : first;
  if (response.status < 300) return response.body;
  const { error } = v.parse(refusal, response.body);
  const code = isErrorCode(error.code) ? error.code : 'DAEMON_UNREACHABLE';
  throw new HooklineError(code, error.message, error.hint ? { hint: error.hint } : {});
}

/** Proves this process's identity by opening the named file, so that the daemon needn't trust a process ID. */
async function prove<T>(
  { id, file }: { readonly id: string; readonly file: string },
  again: (headers: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  const descriptor = openRegularFile(file);
  if (descriptor === null) throw new HooklineError('DAEMON_UNREACHABLE', `${file} is not a regular file.`);
  try {
    return await again({ 'x-hookline-proof': `${process.pid} ${id}` });
  } finally {
    closeSync(descriptor);
  }
}

interface Target extends Pick<RequestOptions, 'method' | 'path'> {
  readonly socketPath: string;
  /** Covers the whole response, so one that arrives byte by byte fails too. */
  readonly deadlineMs: number;
}

async function send(
  { deadlineMs, ...where }: Target,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const key = scriptKey === null ? {} : { 'x-hookline-script-key': scriptKey };
  // An import would load all of its exports, on Node 22 and later a WebSocket too: as much as the rest of Node.
  const { request } = process.getBuiltinModule('node:http');
  let late: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Response>((resolve, reject) => {
      const sent = request({ ...where, headers: { ...key, ...headers } }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          try {
            const text = Buffer.concat(parts).toString();
            resolve({ status: response.statusCode ?? 500, body: JSON.parse(text) });
          } catch (cause) {
            reject(cause);
          }
        });
      });
      late = setTimeout(() => {
        reject(new SilentError('it timed out'));
        sent.destroy();
      }, deadlineMs);
      sent.on('error', reject);
      sent.end(body);
    });
  } catch (cause) {
    throw new HooklineError('DAEMON_UNREACHABLE', `The daemon at ${where.socketPath} is not responding.`, {
      cause,
    });
  } finally {
    clearTimeout(late);
  }
}
