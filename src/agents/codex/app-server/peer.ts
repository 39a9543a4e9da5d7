import * as v from 'valibot';
import { HooklineError } from '../../../model/errors.ts';
import type { Connect, Line } from './connect.ts';
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

export interface PeerEvents {
  notification(method: string, params: unknown): void;
  request(request: ServerRequest): void;
}

/** The server after the handshake. */
export interface Peer {
  /** Rejects with what the server refused it for, or when the connection ends before the answer. */
  ask(method: string, params: unknown): Promise<unknown>;
  answer(id: RpcId, result: unknown): void;
  /** An error in place of an answer; the server takes it for a refusal. */
  refuse(id: RpcId, message: string): void;
  close(): void;
  /** Why the connection ended, once it has. */
  readonly closed: Promise<string>;
}

/** The message, or null for what is none: a server that says nonsense is no reason to go. */
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

/** Opens the connection and shakes hands. */
export async function connectPeer(connect: Connect, client: ClientInfo, events: PeerEvents): Promise<Peer> {
  let line: Line | null = null;
  let lastId = 0;
  const waiting = new Map<RpcId, { resolve(result: unknown): void; reject(error: Error): void }>();
  let end: (why: string) => void = () => {};
  const closed = new Promise<string>((resolve) => {
    end = resolve;
  });

  function take(text: string): void {
    const message = readEnvelope(text);
    if (message === null) return;
    const { id, method, params } = message;
    if (method !== undefined && id !== undefined) events.request({ id, method, params });
    else if (method !== undefined) events.notification(method, params);
    else if (id !== undefined) settle(id, message);
  }
  function settle(id: RpcId, { result, error }: Envelope): void {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error) asked?.reject(unreachable(error.message));
    else asked?.resolve(result);
  }
  function close(why: string): void {
    for (const { reject } of waiting.values()) reject(unreachable(why));
    waiting.clear();
    end(why);
  }
  const send = (message: unknown) => line?.send(JSON.stringify(message));

  line = await connect({ message: take, closed: close });
  const peer: Peer = {
    ask: (method, params) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        send({ method, id: lastId, params });
      }),
    answer: (id, result) => send({ id, result }),
    refuse: (id, message) => send({ id, error: { code: -32000, message } }),
    close: () => line?.close(),
    closed,
  };
  const capabilities = { experimentalApi: true, optOutNotificationMethods: TOO_MUCH };
  try {
    await Promise.race([
      peer.ask('initialize', { clientInfo: client, capabilities }),
      closed.then((why) => Promise.reject(unreachable(why))),
    ]);
  } catch (error) {
    peer.close();
    throw error;
  }
  send({ method: 'initialized' });
  return peer;
}

function unreachable(why: string): HooklineError {
  return new HooklineError('AGENT_UNREACHABLE', `The app-server does not answer: ${why}`);
}
