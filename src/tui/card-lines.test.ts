import { expect, test } from 'vitest';
import type { ShownApproval } from '../approvals/approval.ts';
import { shownCard } from '../approvals/testing.ts';
import type { ToolCall } from '../model/tools.ts';
import { cardPreview } from './card-lines.ts';

const call = (more: Partial<ToolCall>): ToolCall => ({
  name: 'Edit',
  nativeName: 'Edit',
  kind: 'write',
  input: {},
  useId: null,
  mcp: null,
  command: null,
  files: [],
  ...more,
});
const preview = (tool: ToolCall, changes: ShownApproval['changes'] = []) =>
  cardPreview({ ...shownCard('a', { tool }), changes });

test('a command is shown whole, with what it changes', () => {
  const tool = call({ name: 'Bash', command: 'patch <<E\n+x\nE', files: [{ op: 'edit', path: 'a' }] });
  expect(preview(tool, [{ path: 'a', lines: [{ mark: '+', text: 'x' }] }])).toEqual([
    '$ patch <<E',
    '  +x',
    '  E',
    '+ x',
  ]);
});

test('of several files each change stands under its name', () => {
  const files: ToolCall['files'] = [
    { op: 'edit', path: 'a' },
    { op: 'move', path: 'b', to: 'c' },
  ];
  const changes: ShownApproval['changes'] = [
    { path: 'a', lines: [{ mark: '-', text: 'old' }] },
    { path: 'b', lines: [{ mark: '@', text: 'moved to c' }] },
  ];
  expect(preview(call({ files }), changes)).toEqual([
    'edit a',
    'move b → c',
    'a',
    '- old',
    'b',
    '  moved to c',
  ]);
});

test('any other call is shown by its subject', () => {
  expect(
    preview(call({ name: 'WebFetch', input: { url: 'https://example.com', prompt: 'Sum up.' } })),
  ).toEqual(['https://example.com']);
  expect(
    cardPreview({
      ...shownCard('a', { question: 'Your name?\nAll of it.' }),
    }),
  ).toEqual(['Your name?', 'All of it.']);
});
