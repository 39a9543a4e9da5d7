import { expect, onTestFinished, vi } from 'vitest';
import { printed, useHome } from '../../../test/support/cli.ts';
import { until } from '../../../test/support/daemon/daemon.ts';
import { runBash, startMachine } from '../../../test/support/fleet/approvals.ts';
import { startServer, testWithServer as test } from '../../../test/support/fleet/nats.ts';
import fleet from './fleet.ts';
import { watchFleet } from './watch.ts';

const said = async (...args: string[]) => (await printed(fleet, args)).join('\n');

/** Two machines; commands run on the second. */
async function pair() {
  const server = await startServer();
  const desk = await startMachine(server, 'desk');
  const laptop = await startMachine(server, 'laptop');
  useHome(laptop.paths);
  await until(async () => JSON.parse(await said('machines', '--json')).machines.length === 2);
  return { desk, laptop };
}

const found = async (...args: string[]) => JSON.parse(await said('events', ...args, '--json'));

test('machines: which there are, what they guard, which rules they have', async () => {
  const { desk } = await pair();
  const { machines } = JSON.parse(await said('machines', '--json'));
  expect(machines[0]).toMatchObject({
    id: desk.machine.id,
    name: 'desk',
    waiting: 0,
    policy: { version: null },
  });
  const shown = await said('machines');
  expect(shown).toContain('2 machines');
  expect(shown).toMatch(
    new RegExp(`desk {3}${desk.machine.id.slice(0, 8)} {2}online, no policy, hookline \\d`),
  );
});

test('events: by words, machine and decision, with how far it looked', async () => {
  const { desk, laptop } = await pair();
  await runBash(desk, 'git push --force');
  await runBash(laptop, 'git status');
  await until(async () => (await found('git')).events.length === 2);
  expect(await said('events', 'git', 'push')).toMatch(
    /^\d\d:\d\d:\d\d desk +claude +Bash git push --force.*\n1 event in \d+ messages?\.$/,
  );
  expect((await found('git', 'push', 'bash', 'claude')).events).toHaveLength(1);
  expect((await found('git', '--machine', 'LAPTOP')).events[0]).toMatchObject({
    machineName: 'laptop',
    subject: 'git status',
  });
  expect((await found('git', '--machine', desk.machine.id.slice(0, 6))).events).toHaveLength(1);
  expect((await found('git', '--agent', 'Claude Code', '--limit', '1')).events).toHaveLength(1);
  expect((await found('git', '--decision', 'deny')).events).toHaveLength(1);
  expect((await found('git', '--decision', 'ask')).events).toEqual([]);
  expect((await found('--type', 'before_tool')).events).toHaveLength(2);
  await expect(fleet.run(['events', '--machine', 'tablet'])).rejects.toThrow('Unknown machine tablet');
  await expect(fleet.run(['events', '--decision', 'maybe'])).rejects.toThrow('Unknown decision "maybe"');
  await expect(fleet.run(['events', '--limit', 'x'])).rejects.toThrow('--limit takes');
});

test('watch --fleet: what happens on any machine, with its name', async () => {
  const { desk, laptop } = await pair();
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(String(line)));
  onTestFinished(() => log.mockRestore());
  const end = new AbortController();
  const watching = watchFleet(laptop.paths, false, end.signal);
  const lineWith = (text: string) => lines.find((line) => line.includes(text));
  await runBash(desk, 'make all');
  await until(() => lineWith('make all') !== undefined);
  expect(lineWith('make all')).toMatch(/^\d\d:\d\d:\d\d desk +claude +Bash make all/);
  await runBash(laptop, 'make some');
  await until(() => lineWith('make some') !== undefined);
  expect(lineWith('make some')).toContain(' laptop ');
  end.abort();
  await watching;
});
