import { expect } from 'vitest';
import { scratchHome, startDaemon, until } from '../../../test/support/daemon/daemon.ts';
import { runBash, startMachine } from '../../../test/support/fleet/approvals.ts';
import {
  openTestSession,
  startServer,
  testWithServer as test,
  testSettings,
} from '../../../test/support/fleet/nats.ts';
import { craftedRecord } from '../../../test/support/fleet/records.ts';
import { ensureAuditStream } from '../record/audit-stream.ts';
import { createFleetView, type FleetFeed, type FleetMachines, type FoundFleetEvents } from './view.ts';

type Machine = Awaited<ReturnType<typeof startMachine>>;

/** Sends the requests of the dashboard. */
function askOf({ daemon }: { readonly daemon: Machine['daemon'] }) {
  return async <T>(path: string): Promise<T> => {
    const response = await fetch(`${daemon.info.http}/api/fleet/${path}`, {
      headers: { authorization: `Bearer ${daemon.token}` },
    });
    return JSON.parse(await response.text());
  };
}

const isFollowing = ({ daemon }: Machine) => {
  const status = daemon.fleet.status();
  return status.joined && status.parts.view?.following === true;
};

async function pair() {
  const server = await startServer();
  const desk = await startMachine(server, 'desk');
  const laptop = await startMachine(server, 'laptop');
  return { server, desk, laptop, ask: askOf(laptop) };
}

test('one machine sees what all of them guard and do, as it happens', async () => {
  const { desk, laptop, ask } = await pair();
  await runBash(desk, 'git status');
  expect(isFollowing(laptop)).toBe(false);
  await until(async () => (await ask<FleetMachines>('coverage')).total === 2);
  const { machines, team, self, connected, problem } = await ask<FleetMachines>('coverage');
  expect({ team, self, connected, problem }).toEqual({
    team: 'test',
    self: laptop.machine.id,
    connected: true,
    problem: null,
  });
  expect(machines.map(({ name }) => name)).toEqual(['desk', 'laptop']);
  const heard = async (text: string) =>
    (await ask<FleetFeed>('feed')).events.find(({ subject }) => subject === text);
  await until(async () => (await heard('git status')) !== undefined);
  expect(await heard('git status')).toMatchObject({
    machine: desk.machine.id,
    machineName: 'desk',
    agent: 'claude',
    name: 'Bash',
  });
  expect(isFollowing(laptop)).toBe(true);
  expect(isFollowing(desk)).toBe(false);
  const { last } = await ask<FleetFeed>('feed');
  await runBash(laptop, 'npm test');
  await until(async () => (await heard('npm test')) !== undefined);
  const next = await ask<FleetFeed>(`feed?after=${last}`);
  expect(next.events.map(({ subject, machineName }) => [subject, machineName])).toEqual([
    ['npm test', 'laptop'],
  ]);
  expect(next.counts.machine).toContainEqual({ value: desk.machine.id, count: 1 });
  expect(next.counts.agent[0]?.value).toBe('claude');
  expect(next).toMatchObject({ skipped: 0, leftOut: 0, problem: null });
});

test('searches by words and by kind', async () => {
  const { desk, ask } = await pair();
  await runBash(desk, 'git push --force');
  await runBash(desk, 'git status');
  const find = (query: string) => ask<FoundFleetEvents>(`search?${query}`);
  await until(async () => (await find('text=git')).events.length === 2);
  expect((await find('text=FORCE+git')).events.map(({ machineName }) => machineName)).toEqual(['desk']);
  expect((await find(`text=git&machine=${desk.machine.id}&agent=claude`)).events).toHaveLength(2);
  expect((await find('text=git&agent=codex')).events).toEqual([]);
  expect((await find('text=git&decision=deny')).events.map(({ subject }) => subject)).toEqual([
    'git push --force',
  ]);
  expect((await find('text=git&decision=ask')).events).toEqual([]);
  const { looked, stored } = await find('text=nowhere');
  expect(looked).toBe(stored);
});

test('leaves out and counts a forged or broken record', async () => {
  const { server, desk, ask } = await pair();
  const session = await openTestSession(testSettings(server));
  await ensureAuditStream(session, testSettings(server));
  const { subject, body } = craftedRecord({
    machine: desk.machine.id,
    around: { hash: '0'.repeat(64) },
  });
  await session.js.publish(subject, body);
  await until(async () => (await ask<FleetFeed>('feed')).leftOut === 1);
  expect((await ask<FleetFeed>('feed')).events).toEqual([]);
});

test('an idle view follows nothing and keeps nothing', async () => {
  const server = await startServer();
  const desk = await startMachine(server, 'desk');
  const view = createFleetView(200);
  const end = new AbortController();
  const session = { ...(await openTestSession(testSettings(server))), signal: end.signal };
  const { home } = desk.daemon;
  const { teamNames } = await import('../subjects.ts');
  const context = {
    home,
    settings: testSettings(server),
    machine: desk.machine,
    names: teamNames('test'),
  };
  const part = view.openPart(context);
  const running = part.run(session);
  await runBash(desk, 'ls -la');
  expect(part.status()).toEqual({ following: false });
  await until(() => view.feed(0).events.length > 0);
  const consumers = async () => (await session.jsm.streams.info('hookline-test-audit')).state.consumer_count;
  expect(part.status()).toEqual({ following: true });
  expect(await consumers()).toBe(1);
  await until(() => part.status().following === false);
  await until(async () => (await consumers()) === 0);
  // The next use starts empty.
  expect(view.feed(0).events).toEqual([]);
  await until(() => view.feed(0).events.length > 0);
  end.abort();
  await running;
  part.close?.();
  expect(() => view.feed(0)).toThrow('not in a fleet');
});

test('a machine outside a fleet says so', async () => {
  const daemon = await startDaemon(scratchHome());
  for (const path of ['coverage', 'feed', 'search?text=x'])
    expect(await askOf({ daemon })(path)).toMatchObject({ error: { code: 'NOT_FOUND' } });
});

test('without the server it says that it is not connected', async () => {
  const { server, laptop, ask } = await pair();
  await until(async () => (await ask<FleetMachines>('coverage')).total === 2);
  await server.kill();
  await until(() => !laptop.isConnected());
  expect(await ask('coverage')).toMatchObject({ connected: false, total: 2 });
  expect(await ask('search?text=x')).toMatchObject({ error: { code: 'FLEET_UNREACHABLE' } });
  await server.start();
  await until(async () => (await ask<FleetFeed>('feed')).connected);
});
