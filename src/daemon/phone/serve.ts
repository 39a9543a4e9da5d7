import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Device } from '../../approvals/device.ts';
import { canSeeProject } from '../../approvals/limits.ts';
import type { Config } from '../../home/config.ts';
import type { HomePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { closeServer, openSockets } from '../http.ts';
import { serveFeed } from '../live-feed.ts';
import type { Daemon } from '../run-daemon.ts';
import { canonicalAddress, inUrl, isEveryAddress, isPublicAddress, machineAddresses } from './addresses.ts';
import { createPhoneApp } from './device-app.ts';
import type { Devices } from './devices.ts';
import { deviceOfSocket } from './gate.ts';
import { ownCertificate, type ServerCertificate } from './own-certificate.ts';
import type { Pairing } from './pairing.ts';
import { userCertificate } from './user-certificate.ts';

export type PhoneSettings = Config['phone'] & { readonly address: string };

/** An active listener for devices. */
export interface PhoneListener {
  readonly url: string;
  readonly certificate: ServerCertificate;
  /** Ends the live feeds of matching devices. */
  endFeeds(of: (device: Device) => boolean): void;
  close(): Promise<void>;
}

/** Enough for more devices than a person has. */
const MOST_CONNECTIONS = 200;
/** A browser uses about seven. An address with many idle ones must not lock out a phone at another address. */
const MOST_OF_ONE_ADDRESS = 50;
/** For each step that a browser completes quickly. */
const CLIENT_TIMEOUT_MS = 20_000;

export async function servePhone(
  daemon: Daemon,
  settings: PhoneSettings,
  { devices, pairing }: { readonly devices: Devices; readonly pairing: Pairing },
): Promise<PhoneListener> {
  const address = listeningAddress(settings);
  let hosts: ReadonlySet<string> = new Set();
  const isServed = (host: string | undefined) => hosts.has(host?.toLowerCase() ?? '');
  const feeds = createFeeds();
  const app = createPhoneApp(daemon, {
    devices,
    pairing,
    isServed,
    addressOf,
    left: (name) => feeds.end((device) => device.name === name),
  });
  const server = createPhoneServer(getRequestListener(app.fetch));
  const sockets = openSockets(server);
  limitEachAddress(server, sockets);
  const port = await listen(server, settings);
  const reach = certify(server, daemon.home.paths, { ...settings, address });
  hosts = new Set(reach.names.flatMap((name) => hostsOf(inUrl(name).toLowerCase(), port)));
  const feed = serveFeed(server, daemon.hub, (request) => {
    const device = isServed(request.headers.host) ? deviceOfSocket(request, devices) : null;
    if (device === null) return null;
    return {
      sees: ({ projectId }) => canSeeProject(device, projectId),
      seesHome: device.projects === null,
      seesFleet: false,
      opened: (end) => feeds.add(device, end),
    };
  });
  return {
    url: `https://${inUrl(reach.names[0] ?? settings.address)}${port === 443 ? '' : `:${port}`}`,
    certificate: reach.certificate,
    endFeeds: feeds.end,
    close: () => closeServer(server, feed, sockets),
  };
}

function createPhoneServer(answer: ReturnType<typeof getRequestListener>): Server {
  const timeouts = {
    handshakeTimeout: CLIENT_TIMEOUT_MS,
    headersTimeout: CLIENT_TIMEOUT_MS,
    requestTimeout: CLIENT_TIMEOUT_MS,
  };
  const server = createServer({ minVersion: 'TLSv1.2', ...timeouts }, answer);
  server.maxConnections = MOST_CONNECTIONS;
  return server;
}

function limitEachAddress(server: Server, sockets: ReadonlySet<Socket>): void {
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    const ofIt = [...sockets].filter((one) => one.remoteAddress === remoteAddress);
    if (ofIt.length > MOST_OF_ONE_ADDRESS) socket.destroy();
  });
}

/** Browsers leave out the default port. */
const hostsOf = (name: string, port: number): readonly string[] =>
  port === 443 ? [name, `${name}:443`] : [`${name}:${port}`];

function listeningAddress({ address }: PhoneSettings): string {
  const canonical = canonicalAddress(address);
  if (canonical !== null) return canonical;
  throw new HooklineError('CONFIG_INVALID', `${address} is not an IP address of this machine.`);
}

/** The listener's names and addresses, the best first, and its certificate. */
interface Reach {
  readonly names: readonly string[];
  readonly certificate: ServerCertificate;
}

/** Runs once it listens: a rejected address must not replace the certificate of the current one. */
function certify(server: Server, paths: HomePaths, settings: PhoneSettings): Reach {
  try {
    const reach = reachOf(paths, settings);
    const { certificate: cert, key } = reach.certificate;
    server.setSecureContext({ cert, key, minVersion: 'TLSv1.2' });
    return reach;
  } catch (error) {
    server.close();
    throw error;
  }
}

function reachOf({ phone }: HomePaths, { address, name, cert, key }: PhoneSettings): Reach {
  const named = name === null ? [] : [name];
  const addresses = isEveryAddress(address) ? allAddresses() : [address];
  if ((cert === null) !== (key === null))
    throw new HooklineError('CONFIG_INVALID', 'Set both phone.cert and phone.key; one of them is missing.');
  if (cert !== null && key !== null) {
    const certificate = userCertificate(cert, key);
    return { names: [...new Set([...named, ...certificate.names, ...addresses])], certificate };
  }
  const names = [...named, ...addresses];
  return { names, certificate: ownCertificate(phone, names, Date.now()) };
}

/** Private networks come first, because one address is shown. */
function allAddresses(): readonly string[] {
  const found = Object.values(networkInterfaces()).flatMap((entries = []) =>
    entries.flatMap(({ address, internal }) => {
      const canonical = canonicalAddress(address);
      return canonical === null
        ? []
        : [{ canonical, last: internal ? 2 : Number(isPublicAddress(canonical)) }];
    }),
  );
  return found.sort((a, b) => a.last - b.last).map(({ canonical }) => canonical);
}

function listen(server: Server, { address, port }: PhoneSettings): Promise<number> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => reject(whyNot(error, address, port));
    server.once('error', failed);
    server.listen(port, address, () => {
      // A failed connection must not end the process.
      server.off('error', failed).on('error', () => {});
      const found: AddressInfo | string | null = server.address();
      resolve(typeof found === 'object' && found ? found.port : port);
    });
  });
}

function whyNot(error: NodeJS.ErrnoException, address: string, port: number): HooklineError {
  const why: Readonly<Record<string, readonly [message: string, hint: string]>> = {
    EADDRNOTAVAIL: [
      `This machine currently has no address ${address}.`,
      `It has ${
        machineAddresses()
          .map((one) => one.address)
          .join(', ') || 'none but loopback'
      }. Choose one with \`hookline open --phone --address A\`.`,
    ],
    EADDRINUSE: [`Another program uses port ${port} of ${address}.`, 'Choose another port with --port.'],
    EACCES: [
      `You have no permission to listen on port ${port} of ${address}.`,
      'Choose a port above 1023 with --port.',
    ],
  };
  const [message, hint] = why[error.code ?? ''] ?? [
    `Can't listen on ${address}:${port}: ${error.message}`,
    '',
  ];
  return new HooklineError('DAEMON_START', message, { cause: error, ...(hint ? { hint } : {}) });
}

/** Open feeds, each with its device. */
function createFeeds(): {
  add(device: Device, end: () => void): () => void;
  end(of: (device: Device) => boolean): void;
} {
  const open = new Map<() => void, Device>();
  return {
    add(device, end) {
      open.set(end, device);
      return () => void open.delete(end);
    },
    end(of) {
      for (const [end, device] of [...open]) if (of(device)) end();
    },
  };
}

/** Ignores forwarded headers, which anyone could have written. */
function addressOf(c: Context<{ Bindings: HttpBindings }>): string {
  return c.env.incoming.socket.remoteAddress ?? 'unknown';
}
