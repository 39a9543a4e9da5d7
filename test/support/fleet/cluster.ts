import { onTestFinished } from 'vitest';
import { openConnection } from '../../../src/fleet/server/connection.ts';
import { type FleetSettings, NO_SECRETS } from '../../../src/fleet/settings.ts';
import { until } from '../daemon/daemon.ts';
import { scratchFolder } from '../scratch.ts';
import { testSettings } from './nats.ts';
import { freePort, runServer, type TestServer } from './server.ts';

/** A server that comes back on a busy machine takes its time to catch up. */
const LONG = 150_000;

/** Three servers on loopback that are one. */
interface TestCluster {
  readonly nodes: readonly TestServer[];
  /** Of a machine that knows all of them. */
  readonly settings: FleetSettings;
  /** The server that leads a stream, as those that run say. */
  leaderOf(stream: string): Promise<TestServer>;
  /** Resolves when all three keep a stream, and none of them is behind. */
  isWhole(stream: string): Promise<void>;
}

/** Resolves when each of them answers for JetStream, and takes a copy of a stream. */
export async function startCluster(): Promise<TestCluster> {
  const names = ['red', 'green', 'blue'];
  const ports = await portsFor(names.length * 2);
  const routes = ports.slice(names.length).map((port) => `nats://127.0.0.1:${port}`);
  const nodes = await Promise.all(
    names.map(async (name, at) => {
      const config = `cluster {name: test, listen: "127.0.0.1:${ports[names.length + at]}", routes: [${routes.join(', ')}]}`;
      const server = await runServer({ folder: scratchFolder(), name, port: ports[at] ?? 0, config });
      onTestFinished(server.kill);
      return server;
    }),
  );
  for (const node of nodes) await until(() => answers(testSettings(node)));
  const all = { url: nodes[0]?.url ?? '' };
  const settings = testSettings(all, { servers: nodes.map(({ url }) => url), replicas: 3 });
  // All of them answer before the elected one has heard from each: it would find too few places for the copies.
  await until(() => places(settings));
  return { nodes, settings, ...seenBy(nodes, settings) };
}

/** Different ones: none of them is taken before all are. */
async function portsFor(count: number): Promise<readonly number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

async function answers(settings: FleetSettings): Promise<boolean> {
  try {
    const { nats } = await openConnection(settings, NO_SECRETS);
    await nats.close();
    return true;
  } catch {
    return false;
  }
}

async function places(settings: FleetSettings): Promise<boolean> {
  try {
    const { nats, jsm } = await openConnection(settings, NO_SECRETS);
    try {
      await jsm.streams.add({ name: 'placed', subjects: ['placed'], num_replicas: settings.replicas });
      return await jsm.streams.delete('placed');
    } finally {
      await nats.close();
    }
  } catch {
    return false;
  }
}

function seenBy(nodes: readonly TestServer[], settings: FleetSettings) {
  /** Null while the cluster cannot say. */
  async function look(stream: string) {
    try {
      const { nats, jsm } = await openConnection(settings, NO_SECRETS);
      try {
        return (await jsm.streams.info(stream)).cluster ?? null;
      } finally {
        await nats.close();
      }
    } catch {
      return null;
    }
  }
  return {
    async leaderOf(stream: string): Promise<TestServer> {
      let leader: TestServer | undefined;
      await until(async () => {
        const name = (await look(stream))?.leader;
        leader = nodes.find((node) => node.name === name);
        return leader !== undefined;
      });
      if (leader === undefined) throw new Error(`${stream} has no leader`);
      return leader;
    },
    async isWhole(stream: string): Promise<void> {
      await until(async () => {
        const { replicas = [] } = (await look(stream)) ?? {};
        return replicas.length === 2 && replicas.every(({ current, offline }) => current && !offline);
      }, LONG);
    },
  };
}
