import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { shellCall } from '../../test/support/rules/rules.ts';
import { scratchFolder } from '../../test/support/scratch.ts';
import type { Left } from '../shell/analysis.ts';
import { createFacts } from './facts.ts';
import { createSessionMemory } from './session/memory.ts';
import { realWorld } from './world/machine.ts';
import { realPath } from './world/real-path.ts';

/** A session that reads files long after they were written, when their timestamps identify their content. */
function startSession() {
  const project = realPath(scratchFolder());
  const memory = createSessionMemory();
  const now = Date.now() + 10_000;
  const world = {
    ...realWorld(
      () => ({}),
      () => false,
    ),
    now: () => now,
  };
  const event = shellCall('', project);
  return {
    path: (name: string) => join(project, name),
    file(name: string, text = '') {
      mkdirSync(dirname(join(project, name)), { recursive: true });
      writeFileSync(join(project, name), text);
    },
    leaves: (name: string, how: Partial<Left> = {}) =>
      memory.files.note(
        event,
        [{ path: join(project, name), origins: [], link: null, ...how }],
        Date.now() - 1_000,
      ),
    analyse: (command: string) => createFacts(shellCall(command, project), world, memory).analysis(),
  };
}

test('does not analyze a line again for unrelated files of the session', () => {
  const session = startSession();
  session.leaves('a.txt');
  const first = session.analyse('bash x.sh && cat src/cart.ts');
  session.leaves('b.txt');
  expect(session.analyse('bash x.sh && cat src/cart.ts')).toBe(first);
});

test.each<[string, string, (session: ReturnType<typeof startSession>) => void]>([
  ['a script that it runs', 'bash x.sh', ({ leaves }) => leaves('x.sh')],
  [
    'a script that came from elsewhere',
    'sh x.sh',
    ({ leaves }) => leaves('x.sh', { origins: [{ kind: 'network', host: 'example.org' }] }),
  ],
  [
    'a link on the way',
    'cat folder/x.txt',
    ({ leaves, path }) => {
      symlinkSync('/etc', path('folder'));
      leaves('folder', { link: '/etc' });
    },
  ],
  ['one of all files', 'for f in *.sh; do bash "$f"; done', ({ leaves }) => leaves('y.sh')],
])('analyzes it again when the session has left %s', (_, command, leave) => {
  const session = startSession();
  for (const name of ['x.sh', 'y.sh']) session.file(name, 'rm -rf ~\n');
  session.leaves('other.txt');
  const first = session.analyse(command);
  leave(session);
  const second = session.analyse(command);
  expect(second).not.toBe(first);
  expect(second).not.toEqual(first);
});

test('a result that stayed the same after a change depends on the files read then', () => {
  const session = startSession();
  session.leaves('other.txt');
  const first = session.analyse('bash x.sh');
  // The write was announced but the file does not exist: the call may have been denied.
  session.leaves('x.sh');
  expect(session.analyse('bash x.sh')).toBe(first);
  session.file('x.sh', 'rm -rf ~\n');
  expect(session.analyse('bash x.sh')).not.toEqual(first);
});

test('reads a script again when its text changes', () => {
  const session = startSession();
  session.file('x.sh', 'ls\n');
  session.leaves('x.sh');
  const first = session.analyse('bash x.sh');
  session.file('x.sh', 'rm -rf ~\n');
  session.leaves('other.txt');
  expect(session.analyse('bash x.sh')).not.toEqual(first);
});

test('resolves a link again when its target changes', () => {
  const session = startSession();
  session.file('a/x.sh', 'ls\n');
  session.file('b/x.sh', 'rm -rf ~\n');
  symlinkSync('a', session.path('here'));
  session.leaves('a/x.sh');
  const first = session.analyse('bash here/x.sh');
  rmSync(session.path('here'));
  symlinkSync('b', session.path('here'));
  session.leaves('b/x.sh');
  expect(session.analyse('bash here/x.sh')).not.toEqual(first);
});
