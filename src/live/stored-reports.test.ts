import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { readReports, storeReport } from './stored-reports.ts';

let folder = '';
beforeEach(() => {
  folder = scratchFolder();
});

const report = (agent: string, version: string | null) => ({
  agent,
  label: agent,
  version,
  rows: [{ kind: 'effect', name: 'deny', state: 'holds', expected: 'a', seen: 'a' }] as const,
  tookMs: 5,
});

test('stores the last report of each agent, readable only by the user', () => {
  const file = join(folder, 'home', 'live.json');
  expect(readReports(file)).toEqual(new Map());
  storeReport(file, report('one', '1.0.0'), 1);
  storeReport(file, report('two', null), 2);
  storeReport(file, report('one', '1.1.0'), 3);
  expect(readReports(file)).toEqual(
    new Map([
      ['one', { ...report('one', '1.1.0'), checkedAt: 3 }],
      ['two', { ...report('two', null), checkedAt: 2 }],
    ]),
  );
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('ignores and replaces an unreadable file', () => {
  const file = join(folder, 'live.json');
  writeFileSync(file, '{"one": {"version": 1}}');
  expect(readReports(file)).toEqual(new Map());
  storeReport(file, report('two', '1.0.0'), 2);
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')))).toEqual(['two']);
});

test('ignores reports with another name or an invalid time', () => {
  const file = join(folder, 'live.json');
  writeFileSync(file, JSON.stringify({ two: { ...report('one', '1.0.0'), checkedAt: 1 } }));
  expect(readReports(file)).toEqual(new Map());
  for (const checkedAt of [1e300, -1, 1.5]) {
    writeFileSync(file, JSON.stringify({ one: { ...report('one', '1.0.0'), checkedAt } }));
    expect(readReports(file)).toEqual(new Map());
  }
});
