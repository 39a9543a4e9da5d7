import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { START_EVERY_MS, START_NAMELESS_MS, START_WAIT_MS } from '../../wire/limits.ts';
import { homePaths } from '../paths.ts';
import { claimStart, otherStart, startBegan } from './start-mark.ts';

function scratch() {
  const paths = homePaths(scratchFolder());
  mkdirSync(paths.run);
  const mark = join(paths.run, 'starting');
  const ageBy = (ms: number) => {
    const then = new Date(Date.now() - ms);
    utimesSync(mark, then, then);
  };
  return { paths, mark, ageBy };
}

/** The PID of a process that has ended. */
const ended = () => String(spawnSync(process.execPath, ['-e', '']).pid);

test('one process starts it and names itself; the others wait for the daemon', () => {
  const { paths, mark, ageBy } = scratch();
  expect(claimStart(paths)).toEqual({ by: 'us' });
  expect(readFileSync(mark, 'utf8')).toBe(String(process.pid));
  expect(claimStart(paths).by).toBe('others');
  startBegan(paths, process.pid);
  expect(claimStart(paths).by).toBe('others');
  ageBy(START_WAIT_MS + 1);
  expect(claimStart(paths)).toEqual({ by: 'us' });
});

test('accepts a mark written in the same moment', () => {
  const { paths } = scratch();
  claimStart(paths);
  // Each is written in the millisecond in which it is checked: if it counted as being from the future, a second
  // daemon would be started.
  for (let times = 0; times < 500; times += 1) {
    startBegan(paths, process.pid);
    expect(claimStart(paths).by).toBe('others');
  }
});

test("doesn't wait for a starter that was killed before it started anything", () => {
  const { paths, mark, ageBy } = scratch();
  writeFileSync(mark, ended());
  expect(claimStart(paths)).toEqual({ by: 'none' });
  ageBy(START_EVERY_MS + 1);
  expect(claimStart(paths)).toEqual({ by: 'us' });
});

test('waits for an empty mark only as long as writing a name takes', () => {
  const { paths, mark, ageBy } = scratch();
  writeFileSync(mark, '');
  expect(otherStart(paths)?.by).toBe('others');
  ageBy(START_NAMELESS_MS + 1);
  expect(otherStart(paths)).toEqual({ by: 'none' });
});

test.each(['0', '-1', '1e3', 'failed', '99999999999', '1; rm'])(
  'does not wait for a forged mark %j',
  (text) => {
    const { paths, mark } = scratch();
    writeFileSync(mark, text);
    expect(otherStart(paths)).toEqual({ by: 'none' });
  },
);

test('starts no daemon in a home without write access', () => {
  const { paths } = scratch();
  writeFileSync(join(paths.root, 'file'), '');
  expect(claimStart({ run: join(paths.root, 'file', 'run') })).toEqual({ by: 'none' });
});
