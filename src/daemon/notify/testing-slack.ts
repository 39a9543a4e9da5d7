import { randomUUID } from 'node:crypto';
import { type WebSocket, WebSocketServer } from 'ws';
import { listenOnLoopback, readBody } from '../../sandbox/loopback-server.ts';

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
  const sockets = new WebSocketServer({ server });
  const messages: Posted[] = [];
  const acknowledged: string[] = [];
  let socket: WebSocket | null = null;
  sockets.on('connection', (client) => {
    socket = client;
    client.send(JSON.stringify({ type: 'hello', num_connections: 1 }));
    client.on('message', (data) => acknowledged.push(JSON.parse(String(data)).envelope_id));
  });
  const methods: Readonly<Record<string, readonly [string, (body: Posted) => object]>> = {
    'apps.connections.open': [appToken, () => ({ url: url.replace('http', 'ws') })],
    'chat.postMessage': [
      botToken,
      ({ blocks }: Posted) => {
        messages.push({ ts: `${messages.length + 1}.0`, blocks });
        return { ts: `${messages.length}.0` };
      },
    ],
    'chat.update': [
      botToken,
      ({ ts, blocks }: Posted) => {
        for (const one of messages) if (one.ts === ts) one.blocks = blocks;
        return { ts };
      },
    ],
  };
  server.on('request', async (request, response) => {
    const body: Posted = JSON.parse((await readBody(request)) || '{}');
    const [token, run] = methods[(request.url ?? '').slice(1)] ?? [];
    const isKnown = run && request.headers.authorization === `Bearer ${token}`;
    const said = isKnown ? { ok: true, ...run(body) } : { ok: false, error: 'invalid_auth' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said));
  });

  return {
    url,
    messages,
    acknowledged,
    connections: () => sockets.clients.size,
    /** Ends the connection, as Slack does now and then. */
    disconnect: () => void socket?.send(JSON.stringify({ type: 'disconnect', reason: 'refresh_requested' })),
    press({ blocks }: Posted, action_id: string, { channel = 'C1', user = 'U1', times = 1 } = {}): void {
      const button = blocks
        .flatMap(({ elements = [] }) => elements)
        .find((one) => one.action_id === action_id);
      const payload = {
        type: 'block_actions',
        user: { id: user, username: 'dora' },
        channel: { id: channel },
        actions: [{ action_id, value: button?.value }],
      };
      const line = JSON.stringify({ type: 'interactive', envelope_id: randomUUID(), payload });
      for (let sent = 0; sent < times; sent += 1) socket?.send(line);
    },
    async close() {
      for (const client of sockets.clients) client.terminate();
      await close();
    },
  };
}
