import { expect, test } from 'vitest';
import type { StoredEvent } from '../store/read/stored-event.ts';
import { anonymizer, redactionsIn } from './anonymize.ts';
import { callsOfRun, capturedCalls } from './captured-calls.ts';

let row = 0;

function stored(given: Partial<StoredEvent>): StoredEvent {
  row += 1;
  const fields = {
    row,
    id: String(row),
    type: 'stop',
    source: 'agent',
    nativeEvent: 'Stop',
    sequence: 1,
  } as const;
  const none = { projectId: null, machineId: null, userId: null, agentId: null, tool: null, answer: null };
  const numbers = { promptNumber: 0, toolNumber: 0, timestamp: 0, latencyMs: 0 };
  const lists = { opinions: [], degraded: [], rules: [] };
  const response = { decision: 'none' } as const;
  return {
    ...{ ...fields, ...none, ...numbers, ...lists, response },
    ...{ sessionId: 's', cwd: '/work/shop', event: {}, native: {}, ...given },
  };
}

const ids = (events: readonly StoredEvent[]) => [...new Set(events.map(({ sessionId }) => sessionId))];

test("a run's calls are those of sessions that started in its directory", () => {
  const events = [
    stored({ sessionId: 'goes on', sequence: 7 }),
    stored({ sessionId: 'mine', sequence: 1, cwd: '/work/shop/api' }),
    stored({ sessionId: 'elsewhere', sequence: 1, cwd: '/work/other' }),
    stored({ sessionId: 'mine', sequence: 2, cwd: null }),
  ];
  const calls = callsOfRun(events, '/work/shop', null);
  expect(calls.map(({ sessionId, sequence }) => [sessionId, sequence])).toEqual([
    ['mine', 1],
    ['mine', 2],
  ]);
});

test('finds a run that continues a session, or reports another directory', () => {
  const earlier = stored({ sessionId: 'earlier', sequence: 7 });
  const other = stored({ sessionId: 'other', sequence: 1, cwd: '/work/other' });
  expect(ids(callsOfRun([earlier, other], '/work/shop', null))).toEqual(['earlier']);
  expect(ids(callsOfRun([other], '/work/shop', null))).toEqual(['other']);
  expect(callsOfRun([stored({ sequence: 3, cwd: '/work/other' })], '/work/shop', null)).toEqual([]);
  // A directory with the same prefix is a different one.
  expect(callsOfRun([stored({ sequence: 3, cwd: '/work/shop-2' })], '/work/shop', null)).toEqual([]);
});

test('calls that name the run belong to it, whatever else happened', () => {
  const run = '0123456789abcdef';
  const events = [
    stored({ sessionId: 'other', sequence: 1 }),
    stored({ sessionId: 'mine', sequence: 1, cwd: null, event: { workflowId: run } }),
    stored({ sessionId: 'inside', sequence: 1, event: { workflowId: `${run}/${run}` } }),
  ];
  expect(ids(callsOfRun(events, '/work/shop', run))).toEqual(['mine', 'inside']);
});

test('names each call after its event and its tool', () => {
  const tool = { name: 'WebFetch', kind: 'network', useId: null, input: {}, outcome: null };
  const events = [
    stored({ nativeEvent: 'PreToolUse', tool }),
    stored({ nativeEvent: 'PreToolUse', tool }),
    stored({ nativeEvent: '../../etc', tool: { ...tool, name: 'mcp__a/b__..' } }),
    stored({ nativeEvent: '' }),
  ];
  expect(capturedCalls(events, (value) => value).map(({ name }) => name)).toEqual([
    'PreToolUse/web-fetch',
    'PreToolUse/web-fetch-2',
    '-..-etc/mcp--a-b--..',
    'unknown/plain',
  ]);
});

test('no event name keeps the others from being written', () => {
  const events = ['meta.json', 'META.JSON', 'Stop', 'stop', 'x'.repeat(5000)].map((nativeEvent) =>
    stored({ nativeEvent }),
  );
  const names = capturedCalls(events, (value) => value).map(({ name }) => name);
  expect(names.slice(0, 4)).toEqual([
    'meta.json-event/plain',
    'META.JSON-event/plain-2',
    'Stop/plain',
    'stop/plain-2',
  ]);
  expect(Math.max(...names.map((name) => name.length))).toBeLessThan(80);
});

test('replaces the user in any case and the machine, but not words that contain them', () => {
  const host = 'anns-laptop.corp.example';
  const clean = anonymizer({ homes: [], projects: [], user: 'ann', host });
  expect(clean(`Ann@anns-laptop:~$ ping ${host}; echo annotated ann@mail.example`)).toBe(
    'dev@machine:~$ ping machine; echo annotated dev@mail.example',
  );
  expect(
    anonymizer({ homes: [], projects: [], user: null, host: 'localhost' })('http://localhost:3000'),
  ).toBe('http://localhost:3000');
});

test("exported values have the fixtures' directories and user, and no secret", () => {
  const clean = anonymizer({
    homes: ['/srv/ann.lee'],
    projects: ['/srv/ann.lee/code/app'],
    user: 'ann.lee',
  });
  const token = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40);
  const cleaned = clean({
    cwd: '/srv/ann.lee/code/app',
    transcript: '/srv/ann.lee/.x/projects/-srv-ann-lee-code-app/1.jsonl',
    files: { '/srv/ann.lee/code/app/a.ts': ['~ann.lee', 'ann.leery'] },
    command: `curl -H "Authorization: Bearer ${token}" https://a.example`,
    none: null,
  });
  expect(cleaned).toEqual({
    cwd: '/home/dev/shop',
    transcript: '/home/dev/.x/projects/-home-dev-shop/1.jsonl',
    files: { '/home/dev/shop/a.ts': ['~dev', 'ann.leery'] },
    command: expect.not.stringContaining(token),
    none: null,
  });
  const counts = redactionsIn(JSON.stringify(cleaned));
  expect(Object.values(counts)).toEqual([1]);
});
