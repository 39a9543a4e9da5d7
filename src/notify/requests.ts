import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { parseJson } from '../model/json.ts';

/** A slower server is asked again. */
const DEADLINE_MS = 10_000;

interface Asking {
  /** Name of the server in errors, because its address may contain a secret. */
  readonly who: string;
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  readonly deadlineMs?: number;
}

/**
 * Asks a server, and gives its answer as soon as that begins. Rejects for one that is not a success: redirections, too, since
 * a secret in a header or a path is for this server alone.
 *
 * Not by `fetch`: on Node 20 an answer that is read for long may outlive what would abort it, and a daemon could not end.
 */
export function openRequest(url: string, asking: Asking): Promise<IncomingMessage> {
  const { who, method, headers = {}, body, signal, deadlineMs = DEADLINE_MS } = asking;
  const ask = url.startsWith('https:') ? secureRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const sent = ask(url, { method, headers, agent: false });
    const giveUp = () => sent.destroy(new Error(`${who} was not waited for`));
    const late = setTimeout(() => sent.destroy(new Error(`${who} did not answer in time`)), deadlineMs);
    signal.addEventListener('abort', giveUp);
    sent.on('error', reject);
    sent.on('close', () => {
      clearTimeout(late);
      signal.removeEventListener('abort', giveUp);
    });
    sent.on('response', (response) => {
      clearTimeout(late);
      // An unread response still needs a handler for a later error.
      response.on('error', () => {});
      const { statusCode = 0 } = response;
      if (statusCode >= 200 && statusCode < 300) return resolve(response);
      response.destroy();
      reject(new Error(`${who} answered ${statusCode}`));
    });
    if (signal.aborted) giveUp();
    else sent.end(body);
  });
}

/** Longer than any response of these servers. */
const LONGEST_ANSWER = 1 << 22;

/** Sends JSON and returns the JSON response. */
export async function postJson(
  url: string,
  body: unknown,
  asking: Omit<Asking, 'method' | 'body'>,
): Promise<unknown> {
  const headers = { 'content-type': 'application/json', ...asking.headers };
  const response = await openRequest(url, { ...asking, method: 'POST', headers, body: JSON.stringify(body) });
  const idle = createIdleTimeout(asking.deadlineMs ?? DEADLINE_MS, response);
  try {
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk;
      if (text.length > LONGEST_ANSWER) throw new Error(`${asking.who} says too much`);
    }
    return parseJson(text);
  } finally {
    idle.stop();
  }
}

/** Ends a connection that was silent for this long; `heard` restarts the timer. */
export function createIdleTimeout(
  ms: number,
  connection: { destroy(error: Error): unknown },
): { heard(): void; stop(): void } {
  const timer = setTimeout(() => connection.destroy(new Error(`nothing was heard for ${ms} ms`)), ms);
  return { heard: () => void timer.refresh(), stop: () => clearTimeout(timer) };
}

/** True if the ID is among the last ones: services may deliver a message twice. */
export function createDuplicateCheck(most: number): (id: string) => boolean {
  const ids = new Set<string>();
  return (id) => {
    if (ids.has(id)) return true;
    ids.add(id);
    for (const old of ids) if (ids.size > most) ids.delete(old);
    return false;
  };
}
