import { expect } from 'vitest';
import { until } from '../../../test/support/daemon/daemon.ts';
import {
  openTestSession,
  startServer,
  testWithServer as test,
  testSettings,
} from '../../../test/support/fleet/nats.ts';
import { craftedRecord } from '../../../test/support/fleet/records.ts';
import { ensureAuditStream } from '../record/audit-stream.ts';
import { teamNames } from '../subjects.ts';
import type { FleetEvent } from './fleet-event.ts';
import { followEvents } from './recent-events.ts';
import { searchStream } from './search-stream.ts';

const names = teamNames('test');
const ONE = '1'.repeat(32);
const TWO = '2'.repeat(32);

/** A stream with a way to write to it. */
async function stream() {
  const settings = testSettings(await startServer());
  const session = await openTestSession(settings);
  await ensureAuditStream(session, settings);
  const send = async (options: Parameters<typeof craftedRecord>[0]) => {
    const { subject, body } = craftedRecord(options);
    return (await session.js.publish(subject, body)).seq;
  };
  return { session, send };
}

const commands = (events: readonly FleetEvent[]) => events.map(({ subject }) => subject);

test('searches by words, machine, agent, kind and decision', async () => {
  const { session, send } = await stream();
  await send({ machine: ONE, command: 'git push --force' });
  await send({ machine: TWO, command: 'git push origin "main"' });
  await send({
    machine: TWO,
    command: 'rm -rf x',
    columns: { source: 'codex', decision: 'deny', response: '{"decision":"deny","reason":"Careful."}' },
  });
  const look = async (query: Parameters<typeof searchStream>[2], limit = 10) =>
    searchStream(session, names, query, { limit, most: 1_000 });
  expect(await look({ text: 'PUSH git' })).toMatchObject({
    events: [{ subject: 'git push --force' }, { machine: TWO }],
    looked: 3,
    stored: 3,
    leftOut: 0,
  });
  expect(commands((await look({ text: '"main"' })).events)).toEqual(['git push origin "main"']);
  expect(commands((await look({ text: 'careful' })).events)).toEqual(['rm -rf x']);
  expect(commands((await look({ text: 'push rm' })).events)).toEqual([]);
  // Characters that JSON escapes, in a message with JSON inside JSON.
  expect(commands((await look({ text: 'origin "main' })).events)).toHaveLength(1);
  // Doesn't match field names, which every record has.
  expect(commands((await look({ text: 'sessionid' })).events)).toEqual([]);
  expect((await look({ machine: ONE })).events).toHaveLength(1);
  expect((await look({ agent: 'codex' })).events).toHaveLength(1);
  expect((await look({ type: 'after_tool' })).events).toEqual([]);
  expect((await look({ decision: 'deny' })).events.map(({ agent }) => agent)).toEqual(['codex']);
  // A name is matched literally, not as a pattern.
  expect((await look({ machine: '*' })).events).toEqual([]);
  expect((await look({ agent: '>' })).events).toEqual([]);
  // The newest match.
  expect(commands((await look({ text: 'git' }, 1)).events)).toEqual(['git push origin "main"']);
});

test('a search stays within its limits', async () => {
  const { session, send } = await stream();
  await send({ machine: ONE, command: 'first of all' });
  for (let more = 0; more < 30; more += 1) await send({ machine: ONE, command: `later ${more}` });
  const found = await searchStream(session, names, { text: 'first' }, { limit: 5, most: 20 });
  expect(found).toMatchObject({ events: [], looked: 20, stored: 31 });
  expect((await searchStream(session, names, { text: 'first' }, { limit: 5, most: 40 })).events).toHaveLength(
    1,
  );
  const newest = await searchStream(session, names, {}, { limit: 3, most: 1_000 });
  expect(commands(newest.events)).toEqual(['later 27', 'later 28', 'later 29']);
});

test('follows events from the newest on and counts invalid messages', async () => {
  const { session, send } = await stream();
  for (const command of ['a', 'b', 'c']) await send({ machine: ONE, command });
  const heard: FleetEvent[] = [];
  let leftOut = 0;
  const end = new AbortController();
  const following = followEvents(
    session,
    names,
    {
      after: 0,
      last: 2,
      hear: (event) => heard.push(event),
      skipped: () => {},
      leftOut: () => {
        leftOut += 1;
      },
    },
    end.signal,
  );
  await until(() => heard.length === 2);
  await session.js.publish(names.event(TWO, 'claude', 'before_tool'), 'nothing of ours');
  const last = await send({ machine: TWO, command: 'd' });
  await until(() => heard.length === 3);
  expect(commands(heard)).toEqual(['b', 'c', 'd']);
  expect(heard.at(-1)?.place).toBe(last);
  expect(leftOut).toBe(1);
  end.abort();
  await following;
});

test('after a pause, sends what was missed, up to the limit', async () => {
  const { session, send } = await stream();
  for (const command of ['a', 'b', 'c', 'd']) await send({ machine: ONE, command });
  const hearAfter = async (after: number, last: number) => {
    const heard: FleetEvent[] = [];
    let passed = 0;
    const end = new AbortController();
    const skipped = (count: number) => {
      passed += count;
    };
    const hearing = { after, last, hear: (one: FleetEvent) => heard.push(one), skipped, leftOut: () => {} };
    const following = followEvents(session, names, hearing, end.signal);
    await until(() => commands(heard).includes('d'));
    end.abort();
    await following;
    return { heard: commands(heard), passed };
  };
  expect(await hearAfter(1, 10)).toEqual({ heard: ['b', 'c', 'd'], passed: 0 });
  expect(await hearAfter(1, 2)).toEqual({ heard: ['c', 'd'], passed: 1 });
});

test('a reader far behind continues with the newest and reports what was skipped', async () => {
  const { session, send } = await stream();
  await send({ machine: ONE, command: 'first' });
  const { subject, body } = craftedRecord({ machine: ONE, command: 'of many' });
  await Promise.all(Array.from({ length: 2_500 }, () => session.js.publish(subject, body)));
  await send({ machine: ONE, command: 'newest' });
  let asked = 0;
  // All of them arrived after the stream's end was queried.
  const info = async (name: string) => {
    const now = await session.jsm.streams.info(name);
    asked += 1;
    return asked === 1 ? { ...now, state: { ...now.state, last_seq: 1 } } : now;
  };
  const late = { js: session.js, jsm: { ...session.jsm, streams: { ...session.jsm.streams, info } } };
  const heard: FleetEvent[] = [];
  const passed: number[] = [];
  const end = new AbortController();
  const hear = (event: FleetEvent) => heard.push(event);
  const hearing = { after: 0, last: 3, hear, skipped: (n: number) => passed.push(n), leftOut: () => {} };
  const following = followEvents(late, names, hearing, end.signal);
  await until(() => commands(heard).includes('newest'));
  expect(commands(heard)).toEqual(['first', 'of many', 'of many', 'newest']);
  expect(passed).toEqual([2_498]);
  end.abort();
  await following;
});
