import { closeSync } from 'node:fs';
import type { RequestOptions } from 'node:http';
import * as v from 'valibot';
import { HooklineError, isErrorCode } from '../model/errors.ts';
import { openRegularFile } from '../platform/bounded-files.ts';

/** What came back over the daemon's socket. */
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

/** The key that this process asks with; null for a person. */
export function scriptKeyInUse(): string | null {
  return scriptKey;
}

const DEADLINE_MS = 10_000;

/** Something is at the other end, and says nothing. */
export class SilentError extends Error {}

/** Asks the daemon at a socket. Throws what the daemon refuses with, or that it does not answer. */
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

/** Proves this process by opening the named file, so that the daemon needs no trust in a process ID. */
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
  /** For all of the response: one that comes byte by byte is none either. */
  readonly deadlineMs: number;
}

async function send(
  { deadlineMs, ...where }: Target,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const key = scriptKey === null ? {} : { 'x-hookline-script-key': scriptKey };
  // An import of it would load all that it exports, on Node 22 and later a WebSocket too: as much as all of an empty Node.
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
