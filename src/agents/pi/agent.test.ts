import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { testAgent } from '../../../test/support/agents/contract.ts';
import { shimMachine, testShimPackage, testShimSetup } from '../../../test/support/agents/shim.ts';
import pi from './index.ts';
import { HOST } from './setup.ts';

testAgent(pi, { fixtures: new URL('./fixtures/', import.meta.url) });
testShimSetup(HOST);
testShimPackage(HOST, {
  folder: ({ home }) => join(home, '.pi', 'agent', 'npm', 'node_modules', 'hookline'),
  settings: ({ home }) => [
    join(home, '.pi', 'agent', 'settings.json'),
    '{ "packages": ["npm:hookline@0.1.0"] }',
  ],
  project: ({ cwd }, folder) => [
    join(cwd, '.pi', 'settings.json'),
    JSON.stringify({ packages: [{ source: relative(join(cwd, '.pi'), folder) }] }),
  ],
  without: [
    '{ "packages": ["npm:hookline-notes"] }',
    '{ "packages": ["git:hookline"] }',
    '{ "packages": [{ "source": "npm:hookline", "extensions": [] }] }',
    'no JSON',
  ],
});

test.each([
  ['-extensions/hookline.js', true],
  ['!**/*.js', true],
  ['/opt/hookline-notes.ts', false],
])('an entry %s in its settings excludes the extension: %s', (entry, excluded) => {
  const { machine, context } = shimMachine();
  machine.install(pi.setup, context);
  const settings = join(machine.home, '.pi', 'agent', 'settings.json');
  machine.write(settings, JSON.stringify({ extensions: [entry] }));
  const codes = pi.setup.inspect(context).map(({ code }) => code);
  expect(codes.includes('excluded')).toBe(excluded);
});

test.each([
  ['@/etc/hosts', '/etc/hosts'],
  ['@~/notes', '~/notes'],
  ['file:///etc/hosts', '/etc/hosts'],
  ['@file:///etc/a%20b', '/etc/a b'],
  ['a\u00A0b', 'a b'],
  ['file://%zz', 'file://%zz'],
  ['src/@types/x', 'src/@types/x'],
])('a path %j is the file that the client opens: %s', (path, opened) => {
  const payload = { session_id: 's', event: { toolName: 'write', input: { path, content: '' } } };
  const event = pi.decode({ id: 'x', event: 'tool_call', payload, env: {}, receivedAt: 0 });
  expect(event).toMatchObject({ tool: { files: [{ op: 'write', path: opened }] } });
});
