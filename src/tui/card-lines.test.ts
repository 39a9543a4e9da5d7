import { expect, test } from 'vitest';
import { shownCard } from '../../test/support/approvals.ts';
import type { ShownApproval } from '../approvals/approval.ts';
import type { ToolCall } from '../model/tools.ts';
import { subjectLines } from './card-lines.ts';
import type { Line } from './line.ts';

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
const text = (lines: readonly Line[]) =>
  lines.map((line) =>
    line
      .map((one) => one.text)
      .join('')
      .trimEnd(),
  );
const preview = (tool: ToolCall, changes: ShownApproval['changes'] = []) =>
  text(subjectLines({ ...shownCard('a', { tool }), changes }, 40));

test('shows a command in full, with its changes', () => {
  const tool = call({ name: 'Bash', command: 'patch <<E\n+x\nE', files: [{ op: 'edit', path: 'a' }] });
  expect(preview(tool, [{ path: 'a', lines: [{ mark: '+', text: 'x' }] }])).toEqual([
    '$ patch <<E',
    '  +x',
    '  E',
    `a${' '.repeat(37)}+1`,
    '+ x',
  ]);
});

test('wraps long lines without leaving anything out', () => {
  const command = `echo ${'a'.repeat(50)} ${'b'.repeat(50)}`;
  const lines = preview(call({ name: 'Bash', command }));
  expect(lines.every((line) => line.length <= 40)).toBe(true);
  expect(lines.map((line) => line.slice(2)).join('')).toBe(command);
});

test('shows options that change how a command runs below it', () => {
  const tool = call({ name: 'Bash', command: 'npm test' });
  const approval = { ...shownCard('a', { tool }), runsWith: ['dangerouslyDisableSandbox: true'] };
  const lines = subjectLines(approval, 40).map((line) => line.map(({ text }) => text).join(''));
  expect(lines).toEqual(['$ npm test', 'dangerouslyDisableSandbox: true']);
});

test('marks the words that a rule matched, also across a line break', () => {
  const tool = call({ name: 'Bash', command: 'cd api\nnpm install x' });
  const approval = {
    ...shownCard('a', { tool }),
    marks: [
      [3, 6],
      [7, 18],
    ] as const,
  };
  const met = subjectLines(approval, 40).map((line) =>
    line.filter(({ looks }) => looks.includes('met')).map((one) => one.text),
  );
  expect(met).toEqual([['api'], ['npm install']]);
});

test('of several files each change is shown under its name', () => {
  const files: ToolCall['files'] = [
    { op: 'edit', path: 'a' },
    { op: 'move', path: 'b', to: 'c' },
    { op: 'delete', path: 'd' },
    { op: 'write', path: 'e' },
  ];
  const changes: ShownApproval['changes'] = [
    { path: 'a', lines: [{ mark: '-', text: 'old' }] },
    { path: 'b', lines: [{ mark: '@', text: 'moved to c' }] },
    { path: 'd', lines: [] },
  ];
  expect(preview(call({ files }), changes).map((line) => line.replace(/ {2,}/g, '  '))).toEqual([
    'move b → c',
    'write e',
    'a  -1',
    '- old',
    'b',
    '  moved to c',
    'delete d',
  ]);
});

test('shows any other call by its subject', () => {
  expect(
    preview(call({ name: 'WebFetch', input: { url: 'https://example.com', prompt: 'Sum up.' } })),
  ).toEqual(['https://example.com']);
  expect(text(subjectLines(shownCard('a', { question: 'Your name?\nAll of it.' }), 40))).toEqual([
    'Your name?',
    'All of it.',
  ]);
});

test('numbers the options of a question, own words last, and marks the chosen one', () => {
  const questions = [
    {
      id: 'q',
      text: 'Which?',
      options: [
        { label: 'One', description: 'the first' },
        { label: 'Two', description: '' },
      ],
      multiple: true,
    },
  ];
  const approval = shownCard('a', { kind: 'question', questions });
  expect(text(subjectLines(approval, 40))).toEqual([
    'Which? (several)',
    '  1 One  the first',
    '  2 Two',
    '  3 Your own words',
  ]);
  expect(text(subjectLines(approval, 40, { q: ['Two'] }))[2]).toBe('✓ 2 Two');
  expect(text(subjectLines(approval, 40, { q: ['Neither.'] }))[3]).toBe('✓ 3 Neither.');
});
