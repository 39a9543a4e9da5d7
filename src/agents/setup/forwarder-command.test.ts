import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { REFUSAL } from '../refusals.ts';
import {
  answeringCommand,
  failClosedCommand,
  forwarderCommand,
  parseForwarderCommand,
} from './forwarder-command.ts';

test('quotes any path but a plain one', () => {
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
])('a shell finds the forwarder in a directory named %j', (name) => {
  const folder = join(scratchFolder(), name);
  const forwarder = join(folder, 'hookline-forward');
  mkdirSync(folder);
  writeFileSync(forwarder, '#!/bin/sh\nprintf "%s|" "$@"\n');
  chmodSync(forwarder, 0o755);
  const command = forwarderCommand(forwarder, 'agent', 'Stop');
  expect(execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' })).toBe('agent|Stop|');
});

describe('the command for an agent that treats a failure as a denial', () => {
  const ANSWER = { reason: "it's gone" };
  const run = (body: string | null) => {
    const forwarder = join(scratchFolder(), "it's", 'hookline-forward');
    mkdirSync(join(forwarder, '..'));
    if (body !== null) writeFileSync(forwarder, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    const command = answeringCommand(forwarder, 'agent', 'Stop', ANSWER);
    expect(parseForwarderCommand(command, 'agent')).toEqual({ forwarder, event: 'Stop' });
    const { status, stdout } = spawnSync('/bin/sh', ['-c', command], { encoding: 'utf8', input: 'in' });
    return { status, stdout };
  };

  test("passes on the forwarder's answer", () => {
    expect(run('cat; printf "%s|" "$@"')).toEqual({ status: 0, stdout: 'inagent|Stop|\n' });
  });

  test.each([
    ['fails', 'exit 1'],
    ['refuses by its exit code', 'exit 2'],
    ['fails in the middle of its answer', 'printf "{"; exit 1'],
    ['is killed', 'kill -9 $$'],
    ['is gone', null],
  ])('gives the one answer, and no other, if it %s', (_, body) => {
    expect(run(body)).toEqual({ status: 0, stdout: `${JSON.stringify(ANSWER)}\n` });
  });
});

describe('the command in failure mode closed', () => {
  const run = (body: string | null, shell = '/bin/sh') => {
    const forwarder = join(scratchFolder(), "it's", 'hookline-forward');
    mkdirSync(join(forwarder, '..'));
    if (body !== null) writeFileSync(forwarder, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    const command = failClosedCommand(forwarder, 'agent', 'Stop');
    const { status, stdout, stderr } = spawnSync(shell, ['-c', command], { encoding: 'utf8', input: 'in' });
    return { status, stdout, stderr };
  };

  test("passes on the forwarder's decision", () => {
    expect(run('cat; printf "%s|" "$@"')).toEqual({ status: 0, stdout: 'inagent|Stop|', stderr: '' });
    expect(run('printf no >&2; exit 2')).toEqual({ status: 2, stdout: '', stderr: 'no' });
  });

  test.each([
    ['fails', 'exit 1'],
    ['ends with a code of its own', 'exit 77'],
    ['is killed', 'kill -KILL $$'],
    ['is gone', null],
  ])('denies with a text if it %s', (_, body) => {
    const { status, stderr } = run(body);
    expect(status).toBe(2);
    expect(stderr).toContain(REFUSAL);
  });
});

test('recognizes a written command, wherever the forwarder was', () => {
  const folder = fc.string({ unit: 'grapheme' }).map((name) => `/${name}/`);
  const name = fc.constantFrom(
    'hookline-forward',
    'hookline-forward-1.2',
    'hookline-forward.exe',
    'forward.js',
  );
  fc.assert(
    fc.property(folder, name, (folder, name) => {
      for (const write of [forwarderCommand, failClosedCommand]) {
        const call = parseForwarderCommand(write(folder + name, 'agent', 'Stop'), 'agent');
        expect(call).toEqual({ forwarder: folder + name, event: 'Stop' });
      }
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
])("%s isn't", (command) => {
  expect(parseForwarderCommand(command, 'agent')).toBeNull();
});
