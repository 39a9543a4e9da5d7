import { expect, test } from 'vitest';
import { session, shellCall } from '../../test/support/rules/rules.ts';
import type { HookEvent } from '../model/events.ts';
import type { FileOperation } from '../model/tools.ts';
import type { World } from './facts.ts';

const allowed = (rule: string, event: HookEvent, world: Partial<World> = {}) =>
  session(
    `rules: [{allow: true, ${rule}}]`,
    world,
  )(event).some(({ response }) => response.decision === 'allow');

const touching = (...files: readonly FileOperation[]): HookEvent => {
  const call = shellCall('');
  const tool = {
    ...call.tool,
    name: 'Edit',
    nativeName: 'Edit',
    kind: 'write' as const,
    command: null,
    files,
  };
  return { ...call, tool };
};
const inDocs: FileOperation = { op: 'edit', path: '/home/dev/project/docs/a.md' };

test('a rule that allows files covers only calls that touch no others', () => {
  expect(allowed('writes: docs/**', touching(inDocs))).toBe(true);
  expect(allowed('writes: docs/**', touching(inDocs, { op: 'edit', path: '/home/dev/.bashrc' }))).toBe(false);
  expect(
    allowed('writes: docs/**', touching({ op: 'move', path: inDocs.path, to: '/home/dev/.bashrc' })),
  ).toBe(false);
});

test('a link that leads out of the allowed directory is not covered', () => {
  const real = (path: string) => path.replace('/home/dev/project/docs/a.md', '/home/dev/.bashrc');
  expect(allowed('writes: docs/**', touching(inDocs), { real })).toBe(false);
});

test('allowing files to be read does not allow a command line', () => {
  expect(allowed('reads: docs/**', shellCall('cat docs/a.md && rm -rf ~'))).toBe(false);
  expect(allowed('reads: docs/**', shellCall('cat docs/a.md'))).toBe(false);
  expect(allowed('command: cat, reads: docs/**', shellCall('cat docs/a.md'))).toBe(true);
  expect(allowed('command: cat, reads: docs/**', shellCall('cat docs/a.md /etc/shadow'))).toBe(false);
  expect(allowed('command: cat, reads: docs/**', shellCall('cat docs/a.md && rm -rf ~'))).toBe(false);
});
