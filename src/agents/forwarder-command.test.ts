import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forwarderCommand, parseForwarderCommand } from './forwarder-command.ts';

test('a plain path is not quoted, any other is', () => {
  expect(forwarderCommand('/home/me/.hookline/bin/hookline-forward', 'agent', 'Stop')).toBe(
    '/home/me/.hookline/bin/hookline-forward agent Stop',
  );
  expect(forwarderCommand("/it's here/hookline-forward", 'agent', 'Stop')).toBe(
    `'/it'\\''s here/hookline-forward' agent Stop`,
  );
  expect(forwarderCommand('/a b/forward.js', 'agent', 'Stop')).toBe("node '/a b/forward.js' agent Stop");
});

test.each([
  'plain',
  'with space',
  "quote'd",
  '$HOME',
  '`id`',
  '#',
  '"',
  'a;b',
  'é',
  '-x',
  'a\\b',
  'new\nline',
])('a shell finds the forwarder in a folder named %j', (name) => {
  const folder = join(mkdtempSync(join(tmpdir(), 'hookline-')), name);
  const forwarder = join(folder, 'hookline-forward');
  mkdirSync(folder);
  writeFileSync(forwarder, '#!/bin/sh\nprintf "%s|" "$@"\n');
  chmodSync(forwarder, 0o755);
  const command = forwarderCommand(forwarder, 'agent', 'Stop');
  expect(execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' })).toBe('agent|Stop|');
});

test('what was written is recognised, wherever the forwarder was', () => {
  const folder = fc.string({ unit: 'grapheme' }).map((name) => `/${name}/`);
  const name = fc.constantFrom(
    'hookline-forward',
    'hookline-forward-1.2',
    'hookline-forward.exe',
    'forward.js',
  );
  fc.assert(
    fc.property(folder, name, (folder, name) => {
      const call = parseForwarderCommand(forwarderCommand(folder + name, 'agent', 'Stop'), 'agent');
      expect(call).toEqual({ forwarder: folder + name, event: 'Stop' });
    }),
  );
});

test.each([
  ['"/a b/hookline-forward" agent Stop', '/a b/hookline-forward'],
  ['/usr/bin/node /opt/hookline/dist/forward.js agent Stop', '/opt/hookline/dist/forward.js'],
  ["'C:\\Users\\me\\hookline-forward.exe' agent Stop", 'C:\\Users\\me\\hookline-forward.exe'],
  ['  hookline-forward   agent  Stop ', 'hookline-forward'],
])('%s is ours', (command, forwarder) => {
  expect(parseForwarderCommand(command, 'agent')).toEqual({ forwarder, event: 'Stop' });
});

test.each([
  '',
  'echo hookline-forward agent Stop',
  '/bin/hookline-forward other Stop',
  '/bin/hookline-forward agent',
  '/bin/hookline-forward agent Stop extra',
  '/bin/hookline-forward agent Stop; rm -rf x',
  '/bin/hookline-forward agent Stop | tee log',
  '/bin/hookline-forward agent $EVENT',
  '/bin/my-hookline-forward agent Stop',
  'node /opt/other.js agent Stop',
  'python forward.js agent Stop',
  "'/bin/hookline-forward agent Stop",
])('%s is not', (command) => {
  expect(parseForwarderCommand(command, 'agent')).toBeNull();
});
