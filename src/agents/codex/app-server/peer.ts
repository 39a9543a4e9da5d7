import * as v from 'valibot';
import { HooklineError } from '../../../model/errors.ts';
import type { Connect, Connection } from './connect.ts';
import { type RpcId, rpcId } from './wire.ts';

const envelope = v.looseObject({
  id: v.optional(rpcId),
  method: v.optional(v.string()),
  params: v.optional(v.unknown()),
  result: v.optional(v.unknown()),
  error: v.optional(v.looseObject({ code: v.optional(v.number()), message: v.string() })),
});
export type Envelope = v.InferOutput<typeof envelope>;

/** A message that asks for an answer. */
export interface ServerRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: unknown;
}

interface PeerEvents {
  notification(method: string, params: unknown): void;
  request(request: ServerRequest): void;
}

/** The server after the handshake. */
export interface Peer {
  /** Rejects with the server's reason, or when the connection ends before the answer. */
  ask(method: string, params: unknown): Promise<unknown>;
  answer(id: RpcId, result: unknown): void;
  /** An error in place of an answer; the server takes it for a refusal. */
  refuse(id: RpcId, message: string): void;
  close(): void;
  /** Why the connection ended, once it has. */
  readonly closed: Promise<string>;
}

/** The message, or null for anything else: nonsense from a server is no reason to leave. */
export function readEnvelope(text: string): Envelope | null {
  try {
    return v.parse(envelope, JSON.parse(text));
  } catch {
    return null;
  }
}

export interface ClientInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

/** Texts that stream in pieces; the finished item has the whole. */
const TOO_MUCH = [
  'item/agentMessage/delta',
  'item/commandExecution/outputDelta',
  'item/reasoning/summaryTextDelta',
  'item/reasoning/textDelta',
];

/** Opens the connection and does the handshake. */
export async function connectPeer(connect: Connect, client: ClientInfo, events: PeerEvents): Promise<Peer> {
  const peer = new OpenPeer(events);
  await peer.open(connect);
  const capabilities = { experimentalApi: true, optOutNotificationMethods: TOO_MUCH };
  try {
    await Promise.race([
      peer.ask('initialize', { clientInfo: client, capabilities }),
      peer.closed.then((why) => Promise.reject(unreachable(why))),
    ]);
  } catch (error) {
    peer.close();
    throw error;
  }
  peer.send({ method: 'initialized' });
  return peer;
}

class OpenPeer implements Peer {
  readonly closed: Promise<string>;
  readonly #events: PeerEvents;
  readonly #waiting = new Map<RpcId, { resolve(result: unknown): void; reject(error: Error): void }>();
  #end: (why: string) => void = () => {};
  #connection: Connection | null = null;
  #lastId = 0;

  constructor(events: PeerEvents) {
    this.#events = events;
    this.closed = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  async open(connect: Connect): Promise<void> {
    this.#connection = await connect({
      message: (text) => this.#receive(text),
      closed: (why) => {
        for (const { reject } of this.#waiting.values()) reject(unreachable(why));
        this.#waiting.clear();
        this.#end(why);
      },
    });
  }

  send(message: unknown): void {
    this.#connection?.send(JSON.stringify(message));
  }

  ask(method: string, params: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#lastId += 1;
      this.#waiting.set(this.#lastId, { resolve, reject });
      this.send({ method, id: this.#lastId, params });
    });
  }

  answer(id: RpcId, result: unknown): void {
    this.send({ id, result });
  }

  refuse(id: RpcId, message: string): void {
    this.send({ id, error: { code: -32000, message } });
  }

  close(): void {
    this.#connection?.close();
  }

  #receive(text: string): void {
    const message = readEnvelope(text);
    if (message === null) return;
    const { id, method, params, result, error } = message;
    if (method !== undefined && id !== undefined) this.#events.request({ id, method, params });
    else if (method !== undefined) this.#events.notification(method, params);
    else if (id !== undefined) {
      const request = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) request?.reject(unreachable(error.message));
      else request?.resolve(result);
    }
  }
}

function unreachable(why: string): HooklineError {
  return new HooklineError('AGENT_UNREACHABLE', `The app-server does not answer: ${why}`);
}
