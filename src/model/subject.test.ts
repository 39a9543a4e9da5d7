import { expect, test } from 'vitest';
import type { EventBase } from './events.ts';
import { callSubject, callTitle, eventSubject, eventTitle } from './subject.ts';
import type { FileOperation } from './tools.ts';

const subject = (input: object, more: { command?: string; files?: FileOperation[] } = {}) =>
  callSubject({ command: null, files: [], input: { ...input }, ...more });

test('the subject of a command is the whole command', () => {
  const command = 'git push\n  --force';
  expect(subject({ command, description: 'Push it' }, { command })).toBe(command);
});

test('describes a patch by its files, deletions and moves', () => {
  const files: FileOperation[] = [
    { op: 'create', path: 'src/new.ts' },
    { op: 'edit', path: 'a.ts' },
    { op: 'edit', path: 'a.ts' },
    { op: 'delete', path: 'gone.ts' },
    { op: 'move', path: 'from.ts', to: 'to.ts' },
  ];
  expect(subject({ command: '*** Begin Patch' }, { files })).toBe(
    'src/new.ts, a.ts, delete gone.ts, from.ts → to.ts',
  );
});

test.each([
  [{ url: 'https://example.com', prompt: 'Summarise it.' }, 'https://example.com'],
  [{ pattern: '*.ts', path: 'src' }, '*.ts'],
  [{ subagent_type: 'general', description: 'Look around', prompt: 'Long…' }, 'Look around'],
  [{ subject: 'Do A', description: 'All of it.' }, 'Do A'],
  [{ questions: [{ question: 'Which one?' }, { question: 'Why?' }, 7] }, 'Which one? Why?'],
  [{ plan: '# First', planFile: '/plan.md' }, '# First'],
  [{ where: '.', deep: true }, '.'],
  [{ a: 'x', b: 'y' }, '{"a":"x","b":"y"}'],
  [{ prompt: ' ', n: 1 }, '{"prompt":" ","n":1}'],
  [{ questions: [] }, '{"questions":[]}'],
  [{}, ''],
])('%j is about %j', (input, expected) => {
  expect(subject(input)).toBe(expected);
});

test('a title names the tool, unless the command says it all', () => {
  const files: FileOperation[] = [{ op: 'edit', path: 'a.ts' }];
  expect(callTitle({ name: 'Bash', command: 'ls', files: [], input: {} })).toBe('ls');
  expect(callTitle({ name: 'Edit', command: null, files, input: {} })).toBe('Edit a.ts');
  expect(callTitle({ name: 'Ls', command: null, files: [], input: {} })).toBe('Ls');
});

test('arguments nested too deep for JSON have no subject', () => {
  const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
  expect(subject({ deep })).toBe('');
});

test('other events are about what they say', () => {
  const base: EventBase = {
    id: '1',
    source: 'agent',
    nativeEvent: 'Native',
    sessionId: 's',
    timestamp: 0,
    receivedAt: 0,
    cwd: null,
    machineId: null,
    userId: null,
    projectId: null,
    workflowId: null,
    transcriptPath: null,
    permissionMode: null,
    agentId: null,
    sequence: 0,
    promptNumber: 0,
    toolNumber: 0,
    native: null,
    metadata: {},
  };
  const turn = { stopHookActive: false, backgroundTasks: [] };
  expect(eventSubject({ ...base, type: 'before_agent', prompt: 'Fix it.', title: null })).toBe('Fix it.');
  expect(
    eventSubject({ ...base, ...turn, type: 'after_agent', prompt: 'Fix it.', lastAssistantMessage: 'Done.' }),
  ).toBe('Done.');
  expect(
    eventSubject({ ...base, ...turn, type: 'after_agent', prompt: 'Fix it.', lastAssistantMessage: null }),
  ).toBe('');
  expect(eventSubject({ ...base, ...turn, type: 'stop', lastAssistantMessage: null })).toBe('');
  expect(eventSubject({ ...base, type: 'cwd_changed', from: '/a', to: '/b' })).toBe('/b');
  expect(eventSubject({ ...base, type: 'before_model', request: {} })).toBe('');
  expect(eventTitle({ ...base, type: 'before_model', request: {} })).toBe('before_model');
  const notification = { ...base, type: 'notification', kind: 'idle', message: 'Waiting' } as const;
  expect(eventSubject({ ...notification, title: 'Claude Code' })).toBe('Claude Code: Waiting');
  expect(eventSubject({ ...notification, title: 'Done', message: '' })).toBe('Done');
  expect(eventSubject({ ...notification, title: null })).toBe('Waiting');
});
