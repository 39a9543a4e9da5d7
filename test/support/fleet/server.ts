import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

// Debian has it in /usr/sbin, which is often not on the PATH.
const named = process.env.HOOKLINE_NATS_SERVER;
const PLACES = named ? [named] : ['nats-server', '/usr/sbin/nats-server'];

/** Undefined where there is none. */
export const serverProgram: string | undefined = PLACES.find(
  (path) => spawnSync(path, ['--version']).error === undefined,
);

/** As in `2.9.10`. */
export function serverVersion(): string {
  const { stdout } = spawnSync(serverProgram ?? '', ['--version'], { encoding: 'utf8' });
  return /v([\d.]+)/.exec(stdout)?.[1] ?? 'unknown';
}

/** A real server on loopback, with JetStream. */
export interface TestServer {
  readonly name: string;
  readonly url: string;
  readonly port: number;
  readonly pid: () => number;
  /** Ends it without a word, as a crash does; resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts it again, at the same place with the same data. */
  start(): Promise<void>;
  /** Rewrites its configuration, for the next start. */
  configure(config: string): void;
}

interface ServerOptions {
  /** For its data and its configuration. */
  readonly folder: string;
  readonly name: string;
  readonly port: number;
  /** More lines of its configuration: `authorization {token: x}` */
  readonly config: string;
}

/** Starts one. The caller kills it. */
export async function runServer({ folder, name, port, config }: ServerOptions): Promise<TestServer> {
  const file = join(folder, 'server.conf');
  const configure = (more: string) =>
    writeFileSync(
      file,
      `server_name: ${name}\nlisten: 127.0.0.1:${port}\njetstream {store_dir: ${JSON.stringify(folder)}}\n${more}\n`,
    );
  configure(config);
  let child = await startProcess(file);
  return {
    name,
    url: `nats://127.0.0.1:${port}`,
    port,
    pid: () => child.pid ?? 0,
    kill: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await ended;
      }
    },
    start: async () => {
      child = await startProcess(file);
    },
    configure,
  };
}

/** Resolves when it takes connections and its streams are back. */
function startProcess(config: string): Promise<ChildProcess> {
  const child = spawn(serverProgram ?? '', ['-c', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      said = (said + part).slice(-20_000);
      if (said.includes('Server is ready')) resolve(child);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`nats-server ended:\n${said}`)));
  });
}

/**
 * Below the ports that systems assign on request, or to outgoing connections: a server that is killed finds its port free
 * when it is started again, whatever else runs on the machine.
 */
const FIRST_PORT = 20_000;
const PORTS = 12_000;

export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
