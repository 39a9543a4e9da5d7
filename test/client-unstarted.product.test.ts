import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { checkLive } from '../src/cli/doctor/live.ts';
import { reportLines } from '../src/cli/doctor/live-lines.ts';
import { homePaths } from '../src/home/paths.ts';
import { scratchFolder } from './support/scratch.ts';

const WHY = "SyntaxError: The requested module 'node:module' does not provide an export named 'x'";
const NOISE = [
  'file:///c.js:9',
  'import { x } from "node:module";',
  '    ^',
  WHY,
  '    at f (node:internal)',
];

/** What is printed there; as elsewhere than on a terminal. */
function heard(to: 'log' | 'error'): readonly string[] {
  const lines: string[] = [];
  const spy = vi.spyOn(console, to).mockImplementation((line) => void lines.push(String(line)));
  onTestFinished(() => {
    spy.mockRestore();
    vi.unstubAllEnvs();
  });
  return lines;
}

test.skipIf(process.platform === 'win32')(
  'of a client that does not start, one row says so and why, and nothing is said to work',
  async () => {
    const program = join(scratchFolder(), 'pi');
    writeFileSync(program, `#!/bin/sh\ncat >&2 <<'END'\n${NOISE.join('\n')}\nEND\nexit 1\n`);
    chmodSync(program, 0o755);
    vi.stubEnv('PATH', `${dirname(program)}${delimiter}${process.env.PATH}`);
    const [stdout, stderr] = [heard('log'), heard('error')];
    expect(await checkLive(homePaths(scratchFolder()), ['pi'], true)).toBe(1);
    const [report] = JSON.parse(stdout.join('')).reports;
    expect(stderr).toEqual([
      expect.stringMatching(/^Checking Pi: takes 1 to 4 minutes\. Load: \d+\.\d on \d+ cores?\.$/),
    ]);
    const seen = `Pi does not start: exit 1: ${WHY}`;
    expect(report.rows).toEqual([
      { kind: 'run', name: 'start', state: 'broken', expected: 'Pi starts', seen },
    ]);
    expect(reportLines(report).join(' ').replace(/\s+/g, ' ')).toContain(seen);
  },
);
