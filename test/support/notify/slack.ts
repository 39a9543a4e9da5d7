import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { listenOnLoopback, readBody } from '../../../src/sandbox/loopback-server.ts';

interface Block {
  readonly type: string;
  readonly text?: { readonly text: string };
  readonly elements?: readonly { readonly action_id: string; readonly value?: string }[];
}

interface Posted {
  readonly ts: string;
  blocks: readonly Block[];
}

/** As much of Slack as an app in Socket Mode uses. */
export async function startSlack(appToken: string, botToken: string) {
  const { server, url, close } = await listenOnLoopback();
  const sockets = new WebSocketServer({ server, perMessageDeflate: true });
  const messages: Posted[] = [];
  const acknowledged: string[] = [];
  let socket: WebSocket | null = null;
  sockets.on('connection', (client) => {
    socket = client;
    client.send(JSON.stringify({ type: 'hello', num_connections: 1 }));
    client.on('message', (data) => acknowledged.push(JSON.parse(String(data)).envelope_id));
  });
  const tokens = { appToken, botToken };
  server.on('request', async (request, response) => {
    const body: Posted = JSON.parse((await readBody(request)) || '{}');
    const said = answerTo(request, body, messages, { ...tokens, url: url.replace('http', 'ws') });
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said));
  });
  return {
    url,
    messages,
    acknowledged,
    connections: () => sockets.clients.size,
    /** What was agreed on for the connection. */
    extensions: () => socket?.extensions,
    /** Something that is far longer than anything of Slack. */
    flood: (bytes: number) =>
      void socket?.send(JSON.stringify({ type: 'hello', padding: 'x'.repeat(bytes) })),
    /** Ends the connection, as Slack does now and then. */
    disconnect: () => void socket?.send(JSON.stringify({ type: 'disconnect', reason: 'refresh_requested' })),
    press(message: Posted, action: string, { channel = 'C1', user = 'U1', times = 1 } = {}): void {
      const payload = pressed(message, action, channel, user);
      const line = JSON.stringify({ type: 'interactive', envelope_id: randomUUID(), payload });
      for (let sent = 0; sent < times; sent += 1) socket?.send(line);
    },
    async close() {
      for (const client of sockets.clients) client.terminate();
      await close();
    },
  };
}

function answerTo(
  { url = '', headers }: IncomingMessage,
  { ts, blocks }: Posted,
  messages: Posted[],
  known: { readonly appToken: string; readonly botToken: string; readonly url: string },
): object {
  const isFor = (token: string) => headers.authorization === `Bearer ${token}`;
  if (url === '/apps.connections.open' && isFor(known.appToken)) return { ok: true, url: known.url };
  if (!isFor(known.botToken)) return { ok: false, error: 'invalid_auth' };
  if (url === '/chat.postMessage') {
    messages.push({ ts: `${messages.length + 1}.0`, blocks });
    return { ok: true, ts: `${messages.length}.0` };
  }
  for (const one of messages) if (one.ts === ts) one.blocks = blocks;
  return { ok: url === '/chat.update', ts };
}

function pressed({ blocks }: Posted, action_id: string, channel: string, user: string): object {
  const buttons = blocks.flatMap(({ elements = [] }) => elements);
  return {
    type: 'block_actions',
    user: { id: user, username: 'dora' },
    channel: { id: channel },
    actions: [{ action_id, value: buttons.find((one) => one.action_id === action_id)?.value }],
  };
}
