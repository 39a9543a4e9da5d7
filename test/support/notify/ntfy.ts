import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import * as v from 'valibot';
import { parseJson } from '../../../src/model/json.ts';
import { listenOnLoopback, readBody } from '../../../src/sandbox/loopback-server.ts';

const action = v.looseObject({
  action: v.picklist(['http', 'view']),
  label: v.string(),
  url: v.string(),
  method: v.optional(v.string(), 'POST'),
  headers: v.optional(v.record(v.string(), v.string()), {}),
  body: v.optional(v.string(), ''),
});
const publishing = v.looseObject({
  topic: v.pipe(v.string(), v.regex(/^[-_A-Za-z0-9]{1,64}$/)),
  title: v.optional(v.string(), ''),
  message: v.optional(v.string(), 'triggered'),
  priority: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5)), 3),
  tags: v.optional(v.array(v.string()), []),
  actions: v.optional(v.pipe(v.array(action), v.maxLength(3)), []),
});

export interface NtfyMessage extends v.InferOutput<typeof publishing> {
  readonly id: string;
  readonly time: number;
  readonly event: 'message';
}

interface NtfyOptions {
  /** With one, only it allows reading, and anyone may write to the named topics only. */
  readonly token?: string;
  readonly writable?: readonly string[];
}

/** An ntfy server on loopback: publishing, streams with `since` and `poll`, access tokens. */
export interface NtfyServer {
  readonly url: string;
  /** What was published on a topic. */
  messages(topic: string): readonly NtfyMessage[];
  /** What a phone does when a button is pressed: exactly what the notification says. Gives the status. */
  press(message: NtfyMessage, label: string): Promise<number>;
  /** How many connections listen to a topic now. */
  listeners(topic: string): number;
  /** With which `since` each stream of a topic was opened; null without one. */
  opened(topic: string): readonly (string | null)[];
  /** Sends a message once more, as a server may around a reconnection. */
  repeat(message: NtfyMessage): void;
  /** Ends all connections, and new ones at once until `start`. It keeps its port: another program could take it. */
  stop(): Promise<void>;
  start(): void;
  /** Takes requests, and answers none of them until it is over. */
  stall(isStalled: boolean): void;
  close(): Promise<void>;
}

const LONGEST_MESSAGE = 4_096;
const KEEPALIVE_MS = 45_000;

export async function startNtfy(options: NtfyOptions = {}): Promise<NtfyServer> {
  const topics = createTopics();
  let waiting: (() => void)[] | null = null;
  const { server, url, close } = await listenOnLoopback();
  const { stop, start } = stoppable(server);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    if (waiting) await new Promise<void>((resolve) => waiting?.push(resolve));
    // Who presses a button has a connection of its own: one that is kept may be the server's last before it stopped.
    if (request.method === 'POST') response.setHeader('connection', 'close');
    respond(request, body, response, topics, options);
  }

  server.on('request', (request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });

  function stall(isStalled: boolean): void {
    const held = waiting ?? [];
    waiting = isStalled ? held : null;
    if (!isStalled) for (const go of held) go();
  }

  return {
    url,
    ...topics,
    press,
    async stop() {
      stall(false);
      await stop();
    },
    start,
    stall,
    async close() {
      stall(false);
      await close();
    },
  };
}

/** A stopped server keeps its port and refuses every connection. */
function stoppable(server: Server): { stop(): Promise<void>; start(): void } {
  const sockets = new Set<Socket>();
  let isStopped = false;
  server.on('connection', (socket) => {
    if (isStopped) return void socket.destroy();
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    async stop() {
      isStopped = true;
      const closed = [...sockets].map((socket) => once(socket, 'close'));
      for (const socket of sockets) socket.destroy();
      await Promise.all(closed);
    },
    start() {
      isStopped = false;
    },
  };
}

async function press(message: NtfyMessage, label: string): Promise<number> {
  const found = message.actions.find((one) => one.label === label && one.action === 'http');
  if (!found) throw new Error(`there is no button ${label}`);
  const { url, method, headers, body } = found;
  return (await fetch(url, { method, headers, body })).status;
}

interface TopicStore extends Pick<NtfyServer, 'messages' | 'listeners' | 'opened' | 'repeat'> {
  publish(given: unknown): NtfyMessage | null;
  subscribe(topic: string, query: URLSearchParams, response: ServerResponse): void;
}

function createTopics(): TopicStore {
  const stored: NtfyMessage[] = [];
  const streams = new Set<{ readonly topic: string; readonly response: ServerResponse }>();
  const opened: { readonly topic: string; readonly since: string | null }[] = [];
  const write = (response: ServerResponse, line: object) => response.write(`${JSON.stringify(line)}\n`);
  function repeat(message: NtfyMessage): void {
    for (const { topic, response } of streams) if (topic === message.topic) write(response, message);
  }
  return {
    messages: (topic) => stored.filter((one) => one.topic === topic),
    listeners: (topic) => [...streams].filter((one) => one.topic === topic).length,
    opened: (topic) => opened.filter((one) => one.topic === topic).map(({ since }) => since),
    repeat,
    publish(given) {
      const message = messageFrom(given);
      if (message === null) return null;
      stored.push(message);
      repeat(message);
      return message;
    },
    subscribe(topic, query, response) {
      const since = query.get('since');
      opened.push({ topic, since });
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      const line = (event: string) => ({ id: newId(), time: seconds(), event, topic });
      if (!query.has('poll')) write(response, line('open'));
      for (const message of cachedSince(stored, topic, since)) write(response, message);
      if (query.has('poll')) return void response.end();
      const stream = { topic, response };
      streams.add(stream);
      const keepalive = setInterval(() => write(response, line('keepalive')), KEEPALIVE_MS);
      response.on('close', () => {
        clearInterval(keepalive);
        streams.delete(stream);
      });
    },
  };
}

const seconds = () => Math.floor(Date.now() / 1_000);
const newId = () => randomBytes(6).toString('hex');

function messageFrom(given: unknown): NtfyMessage | null {
  const read = v.safeParse(publishing, given);
  if (!read.success || Buffer.byteLength(read.output.message) > LONGEST_MESSAGE) return null;
  return { ...read.output, id: newId(), time: seconds(), event: 'message' };
}

function respond(
  { url, method, headers }: IncomingMessage,
  body: string,
  response: ServerResponse,
  topics: TopicStore,
  { token, writable = [] }: NtfyOptions,
): void {
  const { pathname, searchParams } = new URL(url ?? '/', 'http://ntfy');
  const [, first = '', second] = pathname.split('/');
  const isReading = method === 'GET';
  const json = first === '' ? parseJson(body) : null;
  const topic = first === '' ? topicIn(json) : first;
  const given = headers.authorization;
  if (token !== undefined && given !== undefined && given !== `Bearer ${token}`)
    return void response.writeHead(401).end('{"code":40101,"http":401,"error":"unauthorized"}');
  if (token !== undefined && given === undefined && (isReading || !writable.includes(topic)))
    return void response.writeHead(403).end('{"code":40301,"http":403,"error":"forbidden"}');
  if (isReading && second === 'json') return void topics.subscribe(topic, searchParams, response);
  const message = topics.publish(json ?? { topic, message: body });
  if (message === null) return void response.writeHead(400).end('{"code":40024,"http":400}');
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
}

/** By the id of a message, or by a time in seconds; an id that is not known any more is all of them. */
function cachedSince(
  stored: readonly NtfyMessage[],
  topic: string,
  since: string | null,
): readonly NtfyMessage[] {
  const all = stored.filter((one) => one.topic === topic);
  if (since === null) return [];
  if (since === 'all') return all;
  if (/^\d{9,10}$/.test(since)) return all.filter(({ time }) => time >= Number(since));
  return all.slice(all.findIndex(({ id }) => id === since) + 1);
}

function topicIn(json: unknown): string {
  const found = v.safeParse(v.looseObject({ topic: v.string() }), json);
  return found.success ? found.output.topic : '';
}
