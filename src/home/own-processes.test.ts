import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../testing/scratch.ts';
import { ownProcesses } from './own-processes.ts';

function daemonFile(text: string): { readonly daemon: string } {
  const daemon = join(scratchFolder(), 'daemon.json');
  writeFileSync(daemon, text);
  return { daemon };
}

test('the daemon is known by its number, its names, its line and its port', () => {
  const info = { pid: process.pid, http: 'http://127.0.0.1:8765' };
  const [daemon] = ownProcesses(daemonFile(JSON.stringify(info)));
  expect(daemon).toMatchObject({ pid: process.pid, port: 8765 });
  expect(daemon?.names.length).toBeGreaterThan(0);
  expect(daemon?.line).not.toBe('');
});

test.each(['', 'x', '{"pid":"1"}'])('a file that says nothing (%j) names no process', (text) => {
  expect(ownProcesses(daemonFile(text))).toEqual([]);
});

test('without a daemon there is none', () => {
  expect(ownProcesses({ daemon: '/nowhere/daemon.json' })).toEqual([]);
});
