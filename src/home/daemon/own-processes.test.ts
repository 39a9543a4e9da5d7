import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { ownProcesses } from './own-processes.ts';

function homeWith(text: string): { readonly root: string; readonly daemon: string } {
  const root = scratchFolder();
  const daemon = join(root, 'daemon.json');
  writeFileSync(daemon, text);
  return { root, daemon };
}

/** Other processes of this machine aren't part of these tests. */
const pidsOf = (paths: Parameters<typeof ownProcesses>[0]) => ownProcesses(paths).map(({ pid }) => pid);

test('finds the daemon by its PID, its names, its command line and its port', () => {
  const info = { pid: process.pid, http: 'http://127.0.0.1:8765' };
  const [daemon] = ownProcesses(homeWith(JSON.stringify(info)));
  expect(daemon).toMatchObject({ pid: process.pid, port: 8765 });
  expect(daemon?.names.length).toBeGreaterThan(0);
  expect(daemon?.line).not.toBe('');
});

test.each(['', 'x', '{"pid":"1"}'])('a file without information (%j) names no process', (text) => {
  expect(pidsOf(homeWith(text))).not.toContain(1);
});

test('returns none without a daemon', () => {
  expect(pidsOf({ root: '/nowhere', daemon: '/nowhere/daemon.json' })).not.toContain(process.pid);
});

test.runIf(process.platform === 'linux')('finds processes that run from the home too', async () => {
  const paths = homeWith('');
  const script = join(paths.root, 'bin', 'hookline-forward');
  mkdirSync(dirname(script));
  writeFileSync(script, '#!/bin/sh\necho started\nread line\n', { mode: 0o700 });
  const child = spawn(script, ['claude'], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    await once(child.stdout, 'data');
    const found = ownProcesses(paths).find(({ pid }) => pid === child.pid);
    expect(found).toMatchObject({ port: null, line: expect.stringContaining('hookline-forward claude') });
  } finally {
    child.stdin.end('\n');
    await once(child, 'close');
  }
});
