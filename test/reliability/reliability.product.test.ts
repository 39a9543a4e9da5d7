import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { scratchFolder } from '../support/scratch.ts';
import { documentOf } from './document.js';

const program = fileURLToPath(new URL('./run.js', import.meta.url));
const forwarder = fileURLToPath(new URL('../../dist/bin/hookline-forward', import.meta.url));

const counts = {
  calls: v.number(),
  lost: v.number(),
  doubled: v.number(),
  wronglyAllowed: v.number(),
  leftBehind: v.number(),
};
const results = v.object({
  faults: v.array(
    v.object({ name: v.string(), skipped: v.nullable(v.string()), remark: v.string(), ...counts }),
  ),
});

/** How fast it heals depends on what else the machine does; that nothing is lost or allowed does not. */
test.runIf(process.platform === 'linux' && existsSync(forwarder))(
  'a short run loses, doubles and allows nothing, and leaves nothing behind',
  async () => {
    const file = join(scratchFolder(), 'results.json');
    const wanted = ['kill -9', 'the socket', 'no client sends'].flatMap((name) => ['--only', name]);
    // It exits with 1 where something did not pass, such as a time on a busy machine.
    await promisify(execFile)(process.execPath, [program, '--short', ...wanted, '--json', file]).catch(
      () => {},
    );
    const { faults } = v.parse(results, JSON.parse(readFileSync(file, 'utf8')));
    expect(faults.map(({ name }) => name)).toHaveLength(3);
    for (const { name, calls, skipped, remark, ...found } of faults) {
      expect({ name, ...found }).toEqual({ name, lost: 0, doubled: 0, wronglyAllowed: 0, leftBehind: 0 });
      expect(calls, remark).toBeGreaterThan(20);
      expect(skipped).toBeNull();
    }
  },
  300_000,
);

const fault = {
  name: 'the disk burns',
  calls: 1_200,
  lost: 0,
  reported: 0,
  doubled: 0,
  wronglyAllowed: 0,
  undecided: 0,
  healed: [1.23, 0.5],
  leftBehind: 0,
  remark: '',
  passed: true,
  skipped: null,
};
const row = {
  callers: 8,
  calls: 1_000_000,
  rate: 4_600,
  p50: 1.5,
  p99: 4,
  p999: 9,
  worst: 30,
  megabytes: 140,
  descriptors: 30,
};
const run = {
  at: '2026-11-16T20:20:00.000Z',
  minutes: 11.4,
  command: 'npm run reliability',
  machine: { cores: 2, gigabytes: 24, node: '20.20.2', platform: 'linux' },
  faults: [fault],
  load: {
    idle: { megabytes: 75, descriptors: 30 },
    rows: [row],
    calls: 1_000_000,
    lost: 0,
    doubled: 0,
    wronglyAllowed: 0,
    undecided: 0,
    isSame: true,
    leftBehind: 0,
    passed: true,
  },
};

test.each([
  ['--help', 0, /the socket is deleted under the daemon/],
  ['--only=nothing like this', 1, /No fault has "nothing like this" in its name/],
])('%s tries nothing', (option, status, said) => {
  const ran = spawnSync(process.execPath, [program, option], { encoding: 'utf8' });
  expect(ran.status).toBe(status);
  expect(ran.stdout + ran.stderr).toMatch(said);
});

test('the page adds up the results of all parts', () => {
  const page = documentOf(run);
  expect(page).toContain('| calls made | 1,001,200 |');
  expect(page).toContain('| the disk burns | 1,200 | 0 | 0 | 0 | 0 | 0 | 1.2 s at most, of 2 | passed |');
  expect(page).toContain('| 8 | 1,000,000 | 4,600 | 1.5 | 4.0 | 9.0 | 30.0 | 140 MB | 30 |');
  expect(page).not.toContain('FAILED');
});

test('the page shows everything that failed or was left out', () => {
  const faults = [
    { ...fault, lost: 3, healed: [null], passed: false },
    { ...fault, name: 'no disk', skipped: 'needs root' },
  ];
  const page = documentOf({ ...run, faults });
  expect(page).toContain('| lost | 3 |');
  expect(page).toContain('| never, or too late | **FAILED** |');
  expect(page).toContain('Failed: the disk burns.');
  expect(page).toContain('| faults passed | 0 of 1 |');
  expect(page).toContain('- no disk: SKIPPED, needs root.');
});
