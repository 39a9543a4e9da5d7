import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, onTestFinished, type TestAPI, test } from 'vitest';
import { type DatabaseAddress, parseDatabase } from '../../../src/fleet/archive/address.ts';
import { openPostgres, type Postgres } from '../../../src/fleet/archive/postgres.ts';
import { scratchFolder } from '../scratch.ts';
import { testWithServer } from './nats.ts';
import { postgresFolder } from './postgres-programs.ts';
import { freePort } from './server.ts';

/** `test`, skipped where PostgreSQL or the server of a fleet is missing. */
export const testWithPostgres: ReturnType<TestAPI['skipIf']> =
  postgresFolder === null ? test.skipIf(true) : testWithServer;

const UNPRIVILEGED = 65_534;
const isRoot = process.getuid?.() === 0;

/**
 * PostgreSQL does not run as root. An unprivileged user can't reach a directory below root's, so this one may pass
 * through all of them.
 */
function asUnprivileged(program: string, args: readonly string[]): readonly [string, readonly string[]] {
  const path = join(postgresFolder ?? '', program);
  if (!isRoot) return [path, args];
  const ids = [`--reuid=${UNPRIVILEGED}`, `--regid=${UNPRIVILEGED}`, '--clear-groups'];
  return [
    'setpriv',
    [...ids, '--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search', path, ...args],
  ];
}

/** One PostgreSQL for all tests of a file, on loopback, with a database for each. */
interface TestDatabase {
  /** With the password. */
  readonly url: string;
  readonly address: DatabaseAddress;
  /** Ends PostgreSQL without a word, as a crash does; resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts it again, at the same place with the same data. */
  start(): Promise<void>;
  /** A connection of its own, closed with the test. */
  open(): Promise<Postgres>;
}

export const PASSWORD = 'pass:w0rd/of hookline';
let cluster: Promise<{ readonly data: string; readonly port: number }> | null = null;
let running: ChildProcess | null = null;
let made = 0;

afterAll(() => endProcess(running));

export async function freshDatabase(): Promise<TestDatabase> {
  cluster ??= makeCluster();
  const { data, port } = await cluster;
  const start = async () => {
    if (running === null || hasEnded(running)) running = await startProcess(data, port);
  };
  await start();
  made += 1;
  const addressOf = (name: string) =>
    `postgres://hookline:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${name}`;
  const parsed = (url: string) => parseDatabase(url, { plaintext: false, authority: null });
  const admin = await openPostgres(parsed(addressOf('postgres')));
  await admin.query(`CREATE DATABASE test_${made}`);
  await admin.close();
  const url = addressOf(`test_${made}`);
  const address = parsed(url);
  const open = async () => {
    const db = await openPostgres(address);
    onTestFinished(() => db.close());
    return db;
  };
  return { url, address, kill: () => endProcess(running), start, open };
}

async function makeCluster() {
  const folder = scratchFolder();
  const [data, secret] = [join(folder, 'data'), join(folder, 'password')];
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(secret, `${PASSWORD}\n`);
  if (isRoot) for (const path of [data, secret]) chownSync(path, UNPRIVILEGED, UNPRIVILEGED);
  const options = ['-U', 'hookline', '-E', 'UTF8', '--locale=C', '--no-sync', '--auth=scram-sha-256'];
  const initdb = spawnSync(...spawnable('initdb', ['-D', data, ...options, `--pwfile=${secret}`]), {
    encoding: 'utf8',
    cwd: '/',
  });
  if (initdb.status !== 0) throw new Error(`initdb: ${initdb.stderr}`);
  return { data, port: await freePort() };
}

function spawnable(program: string, args: readonly string[]): [string, string[]] {
  const [path, all] = asUnprivileged(program, args);
  return [path, [...all]];
}

/** Resolves when it takes connections. */
function startProcess(data: string, port: number): Promise<ChildProcess> {
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
  const args = ['-D', data, ...settings.flatMap((one) => ['-c', one])];
  const child = spawn(...spawnable('postgres', args), { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/' });
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (part: string) => {
      said = (said + part).slice(-20_000);
      if (said.includes('ready to accept connections')) resolve(child);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`postgres ended:\n${said}`)));
  });
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

/** SIGQUIT ends all its processes at once, without a clean end: the next start recovers. */
async function endProcess(child: ChildProcess | null): Promise<void> {
  if (child === null || hasEnded(child)) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGQUIT');
  await ended;
}
