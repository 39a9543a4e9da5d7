import { expect, test } from 'vitest';
import { base } from '../../test/support/store/store.ts';
import type { HookEvent } from '../model/events.ts';
import type { FileOperation } from '../model/tools.ts';
import { createFacts } from './facts.ts';
import { createSessionMemory } from './session/memory.ts';

function placesOf(files: readonly FileOperation[], cwd: string | null): (string | null)[] {
  const tool = {
    name: 'Edit',
    nativeName: 'patch',
    kind: 'write',
    input: {},
    useId: null,
    mcp: null,
  } as const;
  const event: HookEvent = { ...base(), type: 'before_tool', cwd, tool: { ...tool, command: null, files } };
  const world = {
    home: '/home/dev',
    now: () => 0,
    real: (path: string) => path,
    branchOf: () => null,
    treeOf: () => null,
    runOptions: () => ({}),
    unlocked: () => false,
  };
  const facts = createFacts(event, world, createSessionMemory());
  return facts.effects().map(({ touched }) => touched.path);
}

test("resolves a tool's files from the agent's directory, not from Hookline's", () => {
  const files: FileOperation[] = [
    { op: 'create', path: 'src/a.txt' },
    { op: 'delete', path: '../b.txt' },
    { op: 'edit', path: '/etc/hosts' },
    { op: 'move', path: 'c', to: './d' },
  ];
  expect(placesOf(files, '/work/shop')).toEqual([
    '/work/shop/src/a.txt',
    '/work/b.txt',
    '/etc/hosts',
    '/work/shop/c',
    '/work/shop/d',
  ]);
  expect(placesOf(files.slice(0, 1), null)).toEqual(['src/a.txt']);
});
