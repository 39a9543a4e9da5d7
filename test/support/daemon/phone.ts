import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Daemon } from '../../../src/daemon/run-daemon.ts';
import { findEvent, listEvents } from '../../../src/store/read/queries.ts';
import { scratchFolder } from '../scratch.ts';
import { bashCall, scratchHome, startDaemon, until } from './daemon.ts';

const RULES = 'rules:\n  - { id: ask-install, command: npm install, ask: Is this one wanted? }\n';
/** Another than the daemon's own. */
export const ADDRESS = '127.0.0.2';

/** A daemon that listens for devices on another address, and a way to be an agent in two projects. */
export async function phoneDaemon(config = `http: {port: 0}\nphone: {address: ${ADDRESS}, port: 0}\n`) {
  const paths = scratchHome(config);
  writeFileSync(join(paths.rules, 'a.yaml'), RULES);
  const daemon = await startDaemon(paths);
  const [shop, site] = ['shop', 'site'].map((name) => join(scratchFolder(), name));
  for (const project of [shop, site]) mkdirSync(join(project ?? '', '.git'), { recursive: true });
  let calls = 0;
  const bash = async (command: string, cwd = shop) => {
    calls += 1;
    const session_id = cwd === site ? 'in-site' : 'in-shop';
    const call = bashCall(command, { session_id, cwd, tool_use_id: `t${calls}` });
    await daemon.hub.call(call);
    return findEvent(daemon.home.db, call.id);
  };
  const pending = async () => {
    await until(() => daemon.hub.approvals.queue.pending().length > 0);
    return daemon.hub.approvals.queue.pending()[0]?.id ?? '';
  };
  const surface = () => onTestFinished(daemon.hub.approvals.attach());
  const url = daemon.phone.status()?.url ?? '';
  return { daemon, url, paths, shop: shop ?? '', site: site ?? '', bash, pending, surface };
}

/** What the record says about who was let in. */
export function accessRecord({ home }: Daemon): readonly (string | undefined)[] {
  return listEvents(home.db, { session: 'access' }).map(
    ({ response }) => response.systemMessage ?? response.reason,
  );
}

/** What a browser that is somewhere else gets. */
interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** A browser on another device, which trusts the authority of the home and has whatever it is given. */
interface RemoteDevice {
  readonly url: string;
  ask(
    method: string,
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answered>;
  /** Resolves when the feed is open, or with the status of the refusal. */
  feed(headers?: Readonly<Record<string, string>>): Promise<WebSocket | number>;
}

type Headers = Readonly<Record<string, string>>;

export function remoteDevice({ home, phone }: Daemon, own: Headers = {}): RemoteDevice {
  const url = phone.status()?.url ?? '';
  const ca = readFileSync(join(home.paths.phone, 'ca.crt'));
  return {
    url,
    ask(method, path, body, headers = {}) {
      const origin = method === 'GET' ? {} : { origin: url };
      // Its address is compared with the certificate, whatever the Host header says.
      const options = {
        method,
        ca,
        agent: false as const,
        servername: '',
        headers: { ...origin, ...own, ...headers },
      };
      return new Promise((resolve, reject) => {
        const sent = request(
          `${url}${path}`,
          options,
          (response) => void answerIn(response).then(resolve, reject),
        );
        sent.on('error', reject);
        sent.end(body === undefined ? undefined : JSON.stringify(body));
      });
    },
    feed(headers = {}) {
      const key = own['x-hookline-key'];
      const cookie = own.cookie === undefined ? {} : { cookie: own.cookie };
      const socket = new WebSocket(
        `${url.replace('https', 'wss')}/api/feed?surface=phone&brief`,
        key === undefined ? [] : [`hookline.${key}`],
        { ca, headers: { origin: url, ...cookie, ...headers } },
      );
      return new Promise((resolve, reject) => {
        socket.on('open', () => resolve(socket));
        socket.on('unexpected-response', (_, response) => {
          socket.terminate();
          resolve(response.statusCode ?? 0);
        });
        socket.on('error', reject);
      });
    },
  };
}

async function answerIn(response: IncomingMessage): Promise<Answered> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part);
  const text = Buffer.concat(parts).toString();
  const isJson = response.headers['content-type']?.startsWith('application/json') ?? false;
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : {},
  };
}

/** The same, paired. */
export async function pairedDevice(
  daemon: Daemon,
  name = 'Pixel 9',
): Promise<RemoteDevice & { readonly headers: Readonly<Record<string, string>> }> {
  const { code } = daemon.phone.pair('maya');
  const { headers, json } = await remoteDevice(daemon).ask('POST', '/pair', { code, name });
  const own = {
    cookie: String(headers['set-cookie']?.[0]).split(';')[0] ?? '',
    'x-hookline-key': String(json.key),
  };
  return { ...remoteDevice(daemon, own), headers: own };
}
