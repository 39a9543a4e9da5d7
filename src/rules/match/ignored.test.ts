import { expect, test } from 'vitest';
import { factsOf, plainWorld, shellCall, writeCall } from '../../../test/support/rules/rules.ts';
import { filesOf } from '../../knowledge/load.ts';
import { deny } from '../../model/responses.ts';
import { createRulesHandler } from '../handler.ts';
import { openPack } from '../pack.ts';
import { indexRules } from '../rule-index.ts';
import { createSessionMemory } from '../session/memory.ts';
import { ignoredIn } from './ignored.ts';

const ignored = (text: string | null) =>
  ignoredIn(
    '/p',
    factsOf(shellCall('ls'), { scriptText: (path) => (path === '/p/.gitignore' ? text : null) }),
  );

test('directories that are named one by one', () => {
  expect(ignored('# built\nbuild\n/out/\r\nandroid/app/build/\nlib/*\n')).toEqual([
    '/p/build',
    '/p/out',
    '/p/android/app/build',
    '/p/lib',
  ]);
});

test('patterns and comments name none', () => {
  expect(ignored('*.log\n#build\n\n**/x\nb?\n')).toEqual([]);
});

test('a re-included directory is not ignored', () => {
  expect(ignored('build\nlib\n!build/keep.txt\n')).toEqual(['/p/lib']);
  expect(ignored('build\n!*.ts\n')).toEqual([]);
});

test('without such a file, nothing is ignored', () => {
  expect(ignored(null)).toEqual([]);
});

function guard() {
  const index = indexRules(openPack('filesystem', false, filesOf('leftovers')).rules());
  return createRulesHandler({
    rulesFor: () => ({ index, problems: [] }),
    world: {
      ...plainWorld,
      scriptText: (path) => (path.endsWith('/.gitignore') ? 'build/\n' : null),
      changedAt: () => 1,
    },
    memory: createSessionMemory(),
    failed: () => deny('broken'),
  });
}

test.each([
  ['rm -rf build', true],
  ['rm -rf build/classes dist', true],
  ['rm -rf lib', false],
  ['rm -rf lib/core', false],
  ['rm -rf build lib', false],
  ['rm -rf build src', false],
])('%s in a project whose .gitignore names build', (command, isSilent) => {
  expect(guard().decide(shellCall(command))).toHaveLength(isSilent ? 0 : 1);
});

test.each([shellCall('echo build >> .gitignore'), writeCall('/home/dev/project/.gitignore')])(
  'a session cannot decide for itself what is ignored',
  (first) => {
    const handler = guard();
    expect(handler.decide(first)).toEqual([]);
    expect(handler.decide(shellCall('rm -rf build'))).toHaveLength(1);
  },
);
