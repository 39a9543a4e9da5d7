import { readKey } from './pass.ts';

/** The daemon rejected a request, or didn't respond. */
export class ApiError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

/** The page comes from the same version of the daemon: a value with these fields has the others, too. */
export function has<T>(...names: readonly (keyof T & string)[]): (value: unknown) => value is T {
  return (value): value is T => isFields(value) && names.every((name) => name in value);
}

async function ask<T>(
  method: string,
  path: string,
  is: (value: unknown) => value is T,
  body?: object,
): Promise<T> {
  const response = await fetch(path, {
    method,
    headers: { 'x-hookline-key': readKey(), 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  }).catch(() => {
    throw new ApiError(0, "The daemon doesn't respond.");
  });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok)
    throw new ApiError(
      response.status,
      problemIn(answer) ?? `The daemon returned status ${response.status}.`,
    );
  if (!is(answer)) throw new ApiError(response.status, 'The daemon was updated. Reload this page.');
  return answer;
}

function problemIn(answer: unknown): string | null {
  if (!isFields(answer) || !isFields(answer.error)) return null;
  return typeof answer.error.message === 'string' ? answer.error.message : null;
}

export function get<T>(path: string, is: (value: unknown) => value is T): Promise<T> {
  return ask('GET', path, is);
}

export function post<T>(path: string, body: object, is: (value: unknown) => value is T): Promise<T> {
  return ask('POST', path, is, body);
}

/** Opens the live feed. While it is open, agents send approvals here. */
export function openFeed(
  onOpen: () => void,
  onMessage: (message: unknown) => void,
  onEnd: () => void,
): () => void {
  const { host, protocol } = window.location;
  const scheme = protocol === 'https:' ? 'wss' : 'ws';
  const socket = new WebSocket(`${scheme}://${host}/api/feed?surface=dashboard&brief`, [
    `hookline.${readKey()}`,
  ]);
  let ended = false;
  const end = () => {
    if (!ended) onEnd();
    ended = true;
  };
  socket.onopen = onOpen;
  socket.onmessage = ({ data }) => {
    if (typeof data === 'string') onMessage(JSON.parse(data));
  };
  socket.onclose = end;
  socket.onerror = end;
  return () => {
    ended = true;
    socket.close();
  };
}
