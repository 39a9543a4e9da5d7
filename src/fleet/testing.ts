import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { onTestFinished, type TestAPI, test } from 'vitest';
import { scratchFolder } from '../testing/scratch.ts';
import { openConnection } from './connection.ts';
import { type AuditItem, readMessage } from './message.ts';
import { readStreamMessages } from './read-stream.ts';
import { type FleetSettings, NO_SECRETS } from './settings.ts';
import { teamNames } from './subjects.ts';

// Debian has it in /usr/sbin, which is not on the PATH of everybody.
const PLACES = [process.env.HOOKLINE_NATS_SERVER, 'nats-server', '/usr/sbin/nats-server'];
const program = PLACES.find((path) => path && spawnSync(path, ['--version']).error === undefined);
const isMissing = program === undefined;

if (isMissing) {
  const message =
    'NO NATS-SERVER: the fleet is not tested. Install it (`apt-get install nats-server`), or name it in HOOKLINE_NATS_SERVER.';
  if (process.env.CI) throw new Error(message);
  console.warn(`\n${message}\n`);
}

/** `test`, skipped where there is no server. */
export const testWithServer: ReturnType<TestAPI['skipIf']> = test.skipIf(isMissing);

/** A real server on loopback, with JetStream in a folder that goes away with the test. */
interface TestServer {
  readonly url: string;
  readonly port: number;
  readonly pid: () => number;
  /** Ends it without a word, as a crash does; resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts it again, at the same place with the same data. */
  start(): Promise<void>;
}

/** @param config more lines of its configuration: `authorization {token: x}` */
export async function startServer(config = '', name = 'one'): Promise<TestServer> {
  const folder = scratchFolder();
  const port = await freePort();
  const file = join(folder, 'server.conf');
  writeFileSync(
    file,
    `server_name: ${name}\nlisten: 127.0.0.1:${port}\njetstream {store_dir: ${JSON.stringify(folder)}}\n${config}\n`,
  );
  let child = await startProcess(file);
  const kill = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await ended;
    }
  };
  onTestFinished(kill);
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    pid: () => child.pid ?? 0,
    kill,
    start: async () => {
      child = await startProcess(file);
    },
  };
}

/** Resolves when it takes connections and its streams are back. */
function startProcess(config: string): Promise<ChildProcess> {
  const child = spawn(program ?? '', ['-c', config], { stdio: ['ignore', 'ignore', 'pipe'] });
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

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

export function testSettings(
  server: Pick<TestServer, 'url'>,
  more: Partial<FleetSettings> = {},
): FleetSettings {
  return {
    servers: [server.url],
    team: 'test',
    name: 'tester',
    login: 'none',
    user: null,
    ownAuthority: false,
    plaintext: false,
    replicas: 1,
    after: 0,
    groups: [],
    policyKey: null,
    ...more,
  };
}

/** Another client of the server, closed with the test. */
export async function openTestSession(settings: FleetSettings, secrets: typeof NO_SECRETS = NO_SECRETS) {
  const session = await openConnection(settings, secrets);
  onTestFinished(() => session.nats.close());
  return session;
}

/** A message of the audit stream. */
interface StreamMessage {
  readonly subject: string;
  readonly sequence: number;
  readonly id: string;
  readonly item: AuditItem | null;
}

/** All that the stream of a team has, in its order. */
export async function readStream(settings: FleetSettings): Promise<readonly StreamMessage[]> {
  const { auditStream, audit } = teamNames(settings.team);
  const session = await openConnection(settings, NO_SECRETS);
  try {
    const messages: StreamMessage[] = [];
    for await (const one of readStreamMessages(session, { stream: auditStream, subject: audit })) {
      const id = one.headers?.get('Nats-Msg-Id') ?? '';
      messages.push({ subject: one.subject, sequence: one.seq, id, item: readMessage(one) });
    }
    return messages;
  } finally {
    await session.nats.close();
  }
}

/** Ids of the records in the stream, in its order. */
export function recordIds(messages: readonly StreamMessage[]): readonly string[] {
  return messages.flatMap(({ id, item }) => (item?.kind === 'record' ? [id] : []));
}
