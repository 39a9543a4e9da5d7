import { expect, test } from 'vitest';
import type { ShownApproval } from '../../src/approvals/approval.ts';
import { shownCard } from '../../test/support/approvals.ts';
import { headingOf, requestsOf, waitingWords, wantOf } from './requests.ts';

const tool = {
  name: 'Bash',
  nativeName: 'Bash',
  kind: 'shell',
  input: {},
  useId: null,
  mcp: null,
  files: [],
} as const;
const asks = (id: string, command: string, more: Partial<ShownApproval> = {}): ShownApproval => ({
  ...shownCard(id, { tool: { ...tool, command } }),
  ...more,
});

test('sorts by expiry and groups identical approvals', () => {
  const one = asks('a', 'make', { group: 'g1', expiresAt: 300 });
  const two = asks('b', 'npm install', { group: 'g2', expiresAt: 200 });
  const three = asks('c', 'make', { group: 'g1', expiresAt: 100 });
  const requests = requestsOf([one, two, three]);
  expect(requests.map(({ all }) => all.map(({ id }) => id))).toEqual([['c', 'a'], ['b']]);
  expect(requests[0]?.expiresAt).toBe(100);
});

test('describes an approval in a few words', () => {
  const files = [
    { op: 'edit', path: '/p/src/charge/a.ts' },
    { op: 'create', path: '/p/src/charge/b.ts' },
  ] as const;
  const edit: ShownApproval = { ...asks('a', ''), tool: { ...tool, name: 'Edit', command: null, files } };
  expect(wantOf(asks('a', 'npm install left-pad'))).toEqual({ verb: 'Run', code: 'npm install left-pad' });
  expect(wantOf(edit)).toEqual({ verb: 'Edit 2 files in', code: 'src/charge' });
  const apart = {
    ...edit,
    tool: { ...tool, name: 'Edit', command: null, files: [files[0], { op: 'create', path: 'b.ts' }] },
  } as const;
  expect(wantOf(apart)).toEqual({ verb: 'Edit 2 files', code: '' });
  expect(waitingWords([apart])).toBe('Waiting to edit 2 files');
  expect(headingOf(edit, 'Codex', 1)).toBe('Codex wants to edit 2 files');
  expect(headingOf(asks('a', 'make'), 'Codex', 3)).toBe('The same command, 3 times');
  expect(waitingWords([asks('a', 'make'), asks('b', 'make')])).toBe('Waiting to run make, and 1 more');
  expect(waitingWords([])).toBe('');
});

test('counts the steps of a plan', () => {
  const plan: ShownApproval = {
    ...asks('a', ''),
    kind: 'plan',
    tool: { ...tool, command: null, input: { plan: '# Plan\n1. One\n2. Two\n\nThen rest.' } },
  };
  expect(wantOf(plan).verb).toBe('Plan: 2 steps');
});
