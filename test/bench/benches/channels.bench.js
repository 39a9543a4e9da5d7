// Whether channels on which one can answer cost a call anything while nothing waits: the same calls, in turns, at a daemon
// without them and at one with all of them, which are connected to servers on loopback.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { WebSocketServer } from 'ws';
import { median, ratioAtMost } from '../figures.js';
import { askOnce, bashCall, openScratchHome } from '../processes/scratch-home.js';

const ROUNDS = 1_500;
const QUICK_ROUNDS = 400;
const WARM_UP = 300;
const RULES = "rules:\n  - { id: r, command: rm, deny: 'no' }\n";

/** @param {{ quick: boolean }} options */
export async function run({ quick }) {
  const servers = await startServers();
  const plain = openScratchHome(RULES);
  const reached = openScratchHome(RULES);
  try {
    reached.hookline('down');
    writeFileSync(join(reached.home, 'config.yaml'), configOf(servers.url));
    reached.hookline('up');
    const { daemon } = JSON.parse(reached.hookline('status', '--json'));
    await servers.connected;
    const sockets = [plain.daemon.socket, daemon.socket];
    const times = await inTurns(sockets, quick ? QUICK_ROUNDS : ROUNDS);
    const [without, withAll] = times.map(median);
    return [
      { name: 'a call without channels', value: without, unit: 'ms' },
      {
        name: 'a call with ntfy, Telegram and Slack',
        value: withAll,
        unit: 'ms',
        ratio: withAll / without,
        to: 'without them',
        target: ratioAtMost(1.1),
        isCompared: true,
      },
    ];
  } finally {
    reached.close();
    plain.close();
    servers.close();
  }
}

/** Alternates calls, so that other load affects both. */
async function inTurns(sockets, rounds) {
  const times = sockets.map(() => []);
  for (let round = 0; round < WARM_UP + rounds; round += 1)
    for (const [at, socket] of sockets.entries()) {
      const ms = await askOnce(socket, `c${at}-${round}`, bashCall(round));
      if (round >= WARM_UP) times[at].push(ms);
    }
  return times;
}

function configOf(url) {
  return `http: { port: 0 }
notify:
  on: [approval, turn, failure]
  ntfy: { server: '${url}', topic: bench-cards-31f7, replyTopic: bench-replies-31f7 }
  telegram: { server: '${url}', token: '1:a', chat: 1 }
  slack: { server: '${url}/slack', appToken: xapp, botToken: xoxb, channel: C1 }
`;
}

/** All three on one port: each is connected, and says nothing. */
async function startServers() {
  const heard = { ntfy: () => {}, telegram: () => {}, slack: () => {} };
  const all = Object.keys(heard).map((name) => new Promise((resolve) => (heard[name] = resolve)));
  let polls = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    request.resume();
    if (path.includes('/json')) {
      response.writeHead(200).write(`${JSON.stringify({ id: 'o', time: 1, event: 'open' })}\n`);
      heard.ntfy(null);
    } else if (path.endsWith('apps.connections.open')) {
      response.end(JSON.stringify({ ok: true, url: url.replace('http', 'ws') }));
    } else if (path.endsWith('getUpdates')) {
      polls += 1;
      // The first question is answered at once, the second is held as Telegram holds it.
      if (polls === 1) response.end(JSON.stringify({ ok: true, result: [] }));
      else heard.telegram(null);
    } else response.end('{"ok":true}');
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    socket.send('{"type":"hello"}');
    heard.slack(null);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
  const url = `http://127.0.0.1:${server.address().port}`;
  return {
    url,
    connected: Promise.all(all),
    close() {
      for (const socket of sockets.clients) socket.terminate();
      server.close();
      server.closeAllConnections();
    },
  };
}
