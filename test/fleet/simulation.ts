import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { readMachines } from '../../src/fleet/machines/follow-machines.ts';
import { publicKeyText } from '../../src/fleet/policy/keys.ts';
import { publishPolicy } from '../../src/fleet/policy/publish.ts';
import { openPolicyBucket } from '../../src/fleet/server/buckets.ts';
import { openConnection } from '../../src/fleet/server/connection.ts';
import { type FleetSettings, NO_SECRETS } from '../../src/fleet/settings.ts';
import { teamNames } from '../../src/fleet/subjects.ts';
import {
  freePort,
  runServer,
  serverProgram,
  serverVersion,
  type TestServer,
} from '../support/fleet/server.ts';
import { checkStream, type StreamCheck } from './check-stream.ts';
import { openMachine, type SimulatedMachine } from './machine.ts';
import { type ServerUsage, watchServer } from './server-usage.ts';

export { serverProgram };

interface SimulationOptions {
  readonly machines: number;
  readonly events: number;
  /** How often the server is killed while records come. */
  readonly kills: number;
  /** An empty folder, for the server and all machines. */
  readonly folder: string;
  /** What happens, for people. */
  say(line: string): void;
}

/** All times in seconds. */
export interface SimulationResult {
  readonly server: string;
  readonly history: { readonly events: number; readonly seconds: number; readonly connected: number };
  readonly live: { readonly events: number; readonly seconds: number };
  /** After each time that the server was killed: until it was up again, and until the last machine was back. */
  readonly kills: readonly { readonly restarted: number; readonly allBack: number }[];
  readonly policy: {
    readonly median: number;
    readonly last: number;
    readonly reported: number;
    readonly inForce: number;
  };
  readonly usage: ServerUsage;
  readonly own: { readonly megabytes: number; readonly processorSeconds: number };
  readonly stream: StreamCheck;
  /** What machines wrote down, with how often. */
  readonly warnings: Readonly<Record<string, number>>;
}

const TEAM = 'simulated';
/** Recorded before the machines join: the rest comes while they are connected. */
const HISTORY = 0.4;
/** Recorded at once, before anything else has its turn. */
const SLICE = 16;
/** Of one machine, before another one has something to record: an agent that works makes several calls. */
const BURST = 4;

/** Many machines in this process, each with all that a machine has of a fleet, and a real server. */
export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const { folder, say } = options;
  const server = await runServer({ folder: join(folder), name: 'one', port: await freePort(), config: '' });
  const killed = () => void process.kill(server.pid(), 'SIGKILL');
  process.prependOnceListener('exit', killed);
  const usage = watchServer(server.pid, join(folder, 'jetstream'));
  const { privateKey } = generateKeyPairSync('ed25519');
  const settings = settingsOf(server, publicKeyText(privateKey));
  const machines = await makeMachines(options, settings);
  try {
    const history = await joinAll(options, machines);
    const live = await recordLive(options, machines, server, usage.ending);
    const policy = await publishToAll(options, machines, settings, privateKey);
    const used = usage.now();
    const own = process.resourceUsage();
    say('Reading the stream …');
    const stream = await readBack(settings, machines);
    return {
      server: serverVersion(),
      history,
      ...live,
      policy,
      usage: used,
      own: {
        megabytes: own.maxRSS / 1024,
        processorSeconds: (own.userCPUTime + own.systemCPUTime) / 1e6,
      },
      stream,
      warnings: counted(machines.flatMap(({ warnings }) => warnings)),
    };
  } finally {
    await Promise.all(machines.map((machine) => machine.close()));
    process.off('exit', killed);
    await server.kill();
  }
}

function settingsOf({ url }: TestServer, policyKey: string): FleetSettings {
  const login = { login: 'none', user: null, ownAuthority: false, plaintext: false } as const;
  return { servers: [url], team: TEAM, name: '', ...login, replicas: 1, after: 0, groups: [], policyKey };
}

async function makeMachines(
  { machines: count, events, folder, say }: SimulationOptions,
  settings: FleetSettings,
): Promise<readonly SimulatedMachine[]> {
  say(`Making ${count} machines …`);
  const machines: SimulatedMachine[] = [];
  for (let at = 0; at < count; at += 1) {
    const name = `m${at}`;
    machines.push(openMachine(join(folder, 'machines', name), { ...settings, name }));
    await turn();
  }
  const before = Math.floor(events * HISTORY);
  say(`Recording ${before} events before they join …`);
  for (let at = 0; at < before; at += 1) {
    machines[at % count]?.record();
    if (at % SLICE === 0) await turn();
  }
  return machines;
}

const since = (start: number) => (performance.now() - start) / 1_000;
const allConnected = (machines: readonly SimulatedMachine[]) =>
  until(() => machines.every((machine) => machine.isConnected()));
const allSent = (machines: readonly SimulatedMachine[]) =>
  until(() => machines.every((machine) => machine.waiting() === 0));

/** All of them at once, with what they have recorded before. */
async function joinAll({ say }: SimulationOptions, machines: readonly SimulatedMachine[]) {
  const events = machines.reduce((sum, { ids }) => sum + ids.length, 0);
  say('All of them join at once, and send it …');
  const start = performance.now();
  for (const machine of machines) machine.join();
  await allConnected(machines);
  const connected = since(start);
  await allSent(machines);
  return { events, seconds: since(start), connected };
}

/** The rest of the events, while the server is killed now and then. */
async function recordLive(
  { events, kills, say }: SimulationOptions,
  machines: readonly SimulatedMachine[],
  server: TestServer,
  ending: () => void,
): Promise<Pick<SimulationResult, 'live' | 'kills'>> {
  const count = events - machines.reduce((sum, { ids }) => sum + ids.length, 0);
  say(`Recording ${count} events while they are connected …`);
  const places = new Set(
    Array.from({ length: kills }, (_, at) => Math.floor(((at + 1) * count) / (kills + 1))),
  );
  const restarts: Promise<{ restarted: number; allBack: number }>[] = [];
  const start = performance.now();
  for (let at = 0; at < count; at += 1) {
    if (places.has(at)) {
      await Promise.all(restarts);
      say(`Killing the server after ${at} of them …`);
      ending();
      await server.kill();
      restarts.push(restart(server, machines));
    }
    machines[Math.floor(at / BURST) % machines.length]?.record();
    if (at % SLICE === 0) await turn();
  }
  const done = await Promise.all(restarts);
  await allSent(machines);
  return { live: { events: count, seconds: since(start) }, kills: done };
}

async function restart(server: TestServer, machines: readonly SimulatedMachine[]) {
  const start = performance.now();
  // All machines have noticed, so that none counts as reconnected.
  await until(() => machines.every((machine) => !machine.isConnected()));
  await server.start();
  const restarted = since(start);
  await allConnected(machines);
  return { restarted, allBack: since(start) };
}

const RULES = Array.from(
  { length: 10 },
  (_, at) =>
    `  - id: no-deploy-${at}\n    deny: Not in this team.\n    command: deploy-${at}\n    tests: {match: ["deploy-${at} now"], pass: ["ls"]}\n`,
);
/** A machine reports its active policy at least this often. */
const REPORT_MS = 90_000;

async function publishToAll(
  { say }: SimulationOptions,
  machines: readonly SimulatedMachine[],
  settings: FleetSettings,
  key: Parameters<typeof publishPolicy>[0]['key'],
): Promise<SimulationResult['policy']> {
  say('Publishing rules for all of them …');
  const session = await openConnection(settings, NO_SECRETS);
  try {
    const bucket = await openPolicyBucket(session, settings);
    const files = { 'rules.yaml': `rules:\n${RULES.join('')}` };
    const target = { groups: [], repositories: [], agents: [] };
    const set = { target, files, percent: 100, observe: false, before: null };
    const change = () => ({ restores: null, sets: [set] });
    const { version } = await publishPolicy({ bucket, key, team: TEAM, after: 0, newest: null, change });
    // From when the server has it.
    const start = performance.now();
    await until(() => machines.every((machine) => machine.tookOn(version) !== null));
    say('The rules are active. Waiting until all machines have reported it …');
    const times = machines.map((machine) => ((machine.tookOn(version) ?? start) - start) / 1_000);
    times.sort((a, b) => a - b);
    let inForce = 0;
    await until(async () => {
      const reports = (await readMachines(session, teamNames(TEAM))).list();
      inForce = reports.filter(({ policy }) => policy.version === version).length;
      return inForce === machines.length;
    }, REPORT_MS).catch(() => {});
    const median = times[Math.floor(times.length / 2)] ?? 0;
    return { median, last: times.at(-1) ?? 0, reported: since(start), inForce };
  } finally {
    await session.nats.close();
  }
}

async function readBack(
  settings: FleetSettings,
  machines: readonly SimulatedMachine[],
): Promise<StreamCheck> {
  const session = await openConnection(settings, NO_SECRETS);
  try {
    return await checkStream(session, teamNames(TEAM), machines);
  } finally {
    await session.nats.close();
  }
}

/** Messages are counted without what makes each of them different. */
function counted(messages: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const message of messages) counts[message] = (counts[message] ?? 0) + 1;
  return counts;
}

/** Ten minutes without an end is one. */
const MOST_MS = 10 * 60_000;

async function until(condition: () => boolean | Promise<boolean>, mostMs = MOST_MS): Promise<void> {
  const start = performance.now();
  while (!(await condition())) {
    if (performance.now() - start > mostMs)
      throw new Error(`It did not happen within ${mostMs / 1_000} s: ${condition}`);
    await pause(50);
  }
}
