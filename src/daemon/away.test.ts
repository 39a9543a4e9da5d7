import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { until } from '../../test/support/daemon/daemon.ts';
import { startNtfy } from '../../test/support/notify/ntfy.ts';
import { startWaiting, waitingDaemon } from '../../test/support/notify/waiting.ts';
import { scratchFolder } from '../../test/support/scratch.ts';
import { endAwayMode, fetchAwaySummary, goAway } from '../client/away.ts';
import { type Client, connect } from '../client/client.ts';
import type { HomePaths } from '../home/paths.ts';
import { type AwayPeriod, openAway } from './away.ts';

/** A connection kept from an earlier daemon may break once. */
async function clientOf(paths: HomePaths): Promise<Client> {
  let found: Client | null = null;
  await until(async () => {
    found ??= await connect(paths);
    return found !== null;
  });
  if (!found) throw new Error('no daemon');
  return found;
}

function scratchAway(path: string = join(scratchFolder(), 'away.json')) {
  const ended: AwayPeriod[] = [];
  const away = openAway({
    path,
    now: Date.now,
    ended: (period) => ended.push(period),
    failed: (error) => {
      throw error;
    },
  });
  onTestFinished(away.stop);
  return { path, away, ended };
}

test('away mode survives the daemon, and ends on time even if none is running', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-15T12:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  const first = scratchAway();
  const noon = Date.now();
  first.away.begin(noon + 3_600_000, 'dev');
  first.away.stop();
  const second = scratchAway(first.path);
  expect(second.away.now()).toEqual({
    since: '2026-11-15T12:00:00.000Z',
    until: '2026-11-15T13:00:00.000Z',
    by: 'dev',
  });
  second.away.stop();
  vi.setSystemTime(noon + 7_200_000);
  const third = scratchAway(first.path);
  expect(third.away.now()).toBeNull();
  vi.advanceTimersByTime(1);
  expect(third.ended).toEqual([{ since: noon, until: noon + 3_600_000 }]);
  expect(third.away.last()).toEqual(third.ended[0]);
});

test('away mode ends on time, and starting it again keeps its beginning', () => {
  vi.useFakeTimers({ now: 1_000_000_000_000 });
  onTestFinished(() => void vi.useRealTimers());
  const { away, ended } = scratchAway();
  const heard: boolean[] = [];
  away.subscribe(() => heard.push(away.now() !== null));
  // Later than a timer can represent.
  away.begin(Date.now() + 40 * 86_400_000, 'dev');
  vi.advanceTimersByTime(86_400_000);
  away.begin(Date.now() + 60_000, 'dev');
  vi.advanceTimersByTime(59_999);
  expect(away.now()?.since).toBe(new Date(1_000_000_000_000).toISOString());
  vi.advanceTimersByTime(1);
  expect(away.now()).toBeNull();
  expect(ended).toHaveLength(1);
  expect(heard).toEqual([true, true, false]);
  expect(away.end()).toBeNull();
});

test.each(['', 'x', '{"away":{"since":"x","until":null,"by":""},"last":null}'])(
  'a file with %j turns away mode off',
  (text) => {
    const path = join(scratchFolder(), 'away.json');
    writeFileSync(path, text);
    expect(scratchAway(path).away.now()).toBeNull();
  },
);

test("in away mode calls stay pending without an open surface, as long as the agent allows, and quiet hours don't apply", async () => {
  const ntfy = await startNtfy();
  onTestFinished(() => ntfy.close());
  const { daemon, wait, paths, stateOf } = await waitingDaemon(
    `quiet: '00:00-24:00', ntfy: {server: '${ntfy.url}', topic: t, replyTopic: r}`,
    'hold: surface, waitSeconds: 5',
  );
  const client = await clientOf(paths);
  await goAway(client, null);
  expect((await client.status()).away).toMatchObject({ until: null, by: 'anyone' });
  const { approval } = await wait('curl http://a.example');
  // The timeout that `setup` configures for this agent, less a margin: far more than the 5 s of the settings.
  expect(approval.expiresAt - approval.createdAt).toBeGreaterThan(600_000);
  // Closing a page withdraws nothing.
  daemon.hub.approvals.attach()();
  expect(stateOf(approval.id)).toBe('pending');
  await until(() => ntfy.messages('t').length === 1);
  const [card] = ntfy.messages('t');
  if (!card) throw new Error('no card');
  await ntfy.press(card, 'Deny');
  await until(() => stateOf(approval.id) === 'denied');
  await until(async () => (await fetchAwaySummary(client))?.calls === 1);

  await daemon.stop();
  const next = await startWaiting(paths);
  expect(next.daemon.hub.away.now()).not.toBeNull();
  const again = await clientOf(paths);
  const { wasAway, summary } = await endAwayMode(again);
  expect(wasAway).toBe(true);
  expect(summary).toMatchObject({
    calls: 1,
    deniedCalls: 1,
    answered: [
      {
        source: 'claude',
        subject: 'Bash curl http://a.example',
        state: 'denied',
        by: expect.stringMatching(/\(ntfy\)$/),
      },
    ],
    expired: [],
    refused: 0,
  });
  expect(JSON.parse(readFileSync(paths.away, 'utf8')).away).toBeNull();
  // Ending it twice returns the same summary.
  expect(await endAwayMode(again)).toEqual({ wasAway: false, summary });
});

test('away mode sends the approvals that are already pending', async () => {
  const ntfy = await startNtfy();
  onTestFinished(() => ntfy.close());
  const { wait, paths } = await waitingDaemon(
    `quiet: '00:00-24:00', ntfy: {server: '${ntfy.url}', topic: t, replyTopic: r}`,
  );
  await wait('curl http://a.example');
  expect(ntfy.messages('t')).toEqual([]);
  const client = await clientOf(paths);
  await goAway(client, Date.now() + 3_600_000);
  await until(() => ntfy.messages('t').length === 1);
});
