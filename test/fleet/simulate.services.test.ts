import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { testWithServer } from '../support/fleet/nats.ts';
import { scratchFolder } from '../support/scratch.ts';
import { checksOf } from './simulation-report.js';

const program = fileURLToPath(new URL('./simulate.js', import.meta.url));

testWithServer(
  'a small fleet whose server is killed has each record once, and the rules on every machine',
  async () => {
    const file = join(scratchFolder(), 'result.json');
    const options = ['--machines', '8', '--events', '1500', '--kill-server', '2', '--json', file];
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...options]);
    expect(stdout).toContain('ok  no record is lost');
    const result = JSON.parse(readFileSync(file, 'utf8'));
    expect(result.stream).toMatchObject({ records: 1_500, lost: 0, doubled: 0, strange: 0, unproven: 0 });
    expect(result.kills).toHaveLength(2);
    expect(result.policy.inForce).toBe(8);
  },
);

const stream = {
  messages: 0,
  records: 100,
  notes: 2,
  lost: 0,
  doubled: 0,
  strange: 0,
  unproven: 0,
  bytesPerRecord: 0,
};
const policy = { median: 0, last: 0, reported: 0, inForce: 3 };
const options = { machines: 3, events: 100, kills: 0 };
const failing = (more: object, rules = policy) =>
  checksOf(options, { stream: { ...stream, ...more }, policy: rules })
    .filter(({ holds }) => !holds)
    .map(({ name }) => name);

test('reports what did not hold', () => {
  expect(failing({})).toEqual([]);
  expect(failing({ records: 99, lost: 1 })).toEqual(['every record is in the stream', 'no record is lost']);
  expect(failing({ doubled: 1 })).toEqual(['no record is there twice']);
  expect(failing({ strange: 1, unproven: 2 })).toHaveLength(2);
  expect(failing({}, { ...policy, inForce: 2 })).toHaveLength(1);
});

test.each([
  ['--help', 0, /--kill-server N/],
  ['--machines=none', 1, /--machines is a number from 1 on, not "none"/],
])('%s simulates nothing', (option, status, said) => {
  const ran = spawnSync(process.execPath, [program, option], { encoding: 'utf8' });
  expect(ran.status).toBe(status);
  expect(ran.stdout + ran.stderr).toMatch(said);
});
