import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CLIENTS } from '../src/agents/_clients.ts';
import { AGENTS } from '../src/agents/_registry.ts';
import { reportLines } from '../src/cli/doctor/live-lines.ts';
import { checkAgent } from '../src/live/check-agent.ts';
import { scratchFolder } from '../src/testing/scratch.ts';

const WHY = "SyntaxError: The requested module 'node:module' does not provide an export named 'x'";
const NOISE = [
  'file:///c.js:9',
  'import { x } from "node:module";',
  '    ^',
  WHY,
  '    at f (node:internal)',
];

test.skipIf(process.platform === 'win32')(
  'of a client that does not start, one row says so and why, and nothing is said to work',
  async () => {
    const program = join(scratchFolder(), 'pi');
    writeFileSync(program, `#!/bin/sh\ncat >&2 <<'END'\n${NOISE.join('\n')}\nEND\nexit 1\n`);
    chmodSync(program, 0o755);
    const [agent, client] = [AGENTS.get('pi'), await CLIENTS.pi?.()];
    if (!agent || !client) throw new Error('there is no such client');
    const report = await checkAgent({ agent, client, program });
    const seen = `Pi does not start: exit 1: ${WHY}`;
    expect(report.rows).toEqual([
      { kind: 'run', name: 'start', state: 'broken', expected: 'Pi starts', seen },
    ]);
    expect(reportLines(report).join(' ').replace(/\s+/g, ' ')).toContain(seen);
  },
  120_000,
);
