import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { card } from '../../test/support/approvals.ts';
import { scratchHome, startDaemon, until } from '../../test/support/daemon/daemon.ts';
import { scratchFolder } from '../../test/support/scratch.ts';
import { AGENTS } from '../agents/_registry.ts';
import { isToolEvent } from '../model/events.ts';
import { shownApproval } from './approval-view.ts';

/** The approval for a call that an agent would make. */
function approvalOf(source: string, tool: string, input: Readonly<Record<string, unknown>>) {
  const agent = AGENTS.get(source);
  const payload = agent?.toolPayload({ id: 'c1', tool, input, cwd: '/shop' });
  const event = agent?.decode({ id: 'c1', receivedAt: 0, event: null, payload, env: {} });
  if (!event || !isToolEvent(event)) throw new Error(`no call of ${tool}`);
  return card('a', { source, tool: event.tool });
}

test.each([...AGENTS.keys()])('%s: shows a change line by line', (source) => {
  const edit = { file_path: 'a.css', old_string: 'red', new_string: 'blue' };
  const [change] = shownApproval(approvalOf(source, 'Edit', edit)).changes;
  expect(change?.path).toBe('a.css');
  expect(change?.lines.filter(({ mark }) => mark !== '@')).toEqual([
    { mark: '-', text: 'red' },
    { mark: '+', text: 'blue' },
  ]);
});

test.each([...AGENTS.keys()])('%s: shows no line of a multi-line secret', (source) => {
  const key = ['-----BEGIN', 'PRIVATE KEY-----\nc2hvcnQ\nbGluZXM\n-----END', 'PRIVATE KEY-----\nend'].join(
    ' ',
  );
  const shown = shownApproval(approvalOf(source, 'Write', { file_path: 'key.pem', content: `${key}` }));
  expect(shown.changes).toHaveLength(1);
  expect(JSON.stringify(shown)).toContain('[redacted:private-key]');
  expect(JSON.stringify(shown)).not.toMatch(/c2hvcnQ|bGluZXM/);
});

test('marks a command that runs without its sandbox', () => {
  const plain = { command: 'npm test', description: 'Run the tests' };
  expect(shownApproval(approvalOf('claude', 'Bash', plain)).runsWith).toEqual([]);
  const { runsWith } = shownApproval(
    approvalOf('claude', 'Bash', { ...plain, dangerouslyDisableSandbox: true, run_in_background: false }),
  );
  expect(runsWith).toEqual(['dangerouslyDisableSandbox: true']);
});

test('a call that writes nothing shows no change', () => {
  expect(shownApproval(approvalOf('claude', 'Read', { file_path: 'a.css' })).changes).toEqual([]);
  expect(shownApproval(approvalOf('claude', 'Bash', { command: 'ls' })).changes).toEqual([]);
  expect(shownApproval(card('a', { question: 'Your name?' })).changes).toEqual([]);
});

test('shows project and branch', () => {
  const folder = scratchFolder();
  mkdirSync(join(folder, '.git'));
  writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/fix/coupon\n');
  const waiting = card('a', { cwd: folder, projectId: folder });
  expect(shownApproval(waiting).place).toBe(`${basename(folder)} · fix/coupon`);
  // The branch is only known while the approval is pending.
  expect(shownApproval({ ...waiting, state: 'allowed' }).place).toBe(basename(folder));
  expect(shownApproval(card('b', { cwd: null, projectId: null })).place).toBe('');
});

test('groups the same call of two sessions, ignoring remarks', () => {
  const one = approvalOf('claude', 'Bash', { command: 'docker compose up', description: 'Start it.' });
  const other = approvalOf('claude', 'Bash', { command: 'docker compose up', description: 'Up.' });
  const groupOf = (approval: typeof one) => shownApproval(approval).group;
  expect(groupOf({ ...other, id: 'b', sessionId: 's2' })).toBe(groupOf(one));
  for (const different of [
    approvalOf('claude', 'Bash', { command: 'docker compose down' }),
    approvalOf('claude', 'Bash', { command: 'docker compose up', dangerouslyDisableSandbox: true }),
    { ...one, rules: ['another'] },
  ])
    expect(groupOf(different)).not.toBe(groupOf(one));
  const question = { kind: 'question', tool: null } as const;
  expect(groupOf(card('a', question))).not.toBe(groupOf(card('b', question)));
});

test.each([
  ['rm -rf dist', true],
  ['git push --force origin main', true],
  ['git checkout -- .', true],
  ['mv a b', false],
  ['npm install left-pad', false],
])('%s is marked as deleting: %s', (command, isDestructive) => {
  expect(shownApproval(approvalOf('claude', 'Bash', { command })).destructive).toBe(isDestructive);
});

test('includes the newest prompt and the words that a rule matched', async () => {
  const paths = scratchHome();
  writeFileSync(join(paths.rules, 'a.yaml'), 'rules:\n  - { id: r, command: npm install, ask: Wanted? }\n');
  const { hub } = await startDaemon(paths);
  const surface = hub.approvals.attach();
  const call = (payload: object) =>
    hub.call({
      id: JSON.stringify(payload),
      receivedAt: Date.now(),
      agent: 'claude',
      event: null,
      env: {},
      payload: { session_id: 's1', cwd: '/', ...payload },
    });
  await call({ hook_event_name: 'UserPromptSubmit', prompt: 'First.' });
  await call({ hook_event_name: 'UserPromptSubmit', prompt: 'Add left-pad.' });
  const tool = { tool_name: 'Bash', tool_input: { command: 'cd api && npm install left-pad' } };
  const asked = call({ hook_event_name: 'PreToolUse', ...tool });
  await until(() => hub.approvals.queue.pending().length === 1);
  const [pending] = hub.approvals.queue.pending().map(hub.approvals.shown);
  expect(pending).toMatchObject({ asked: { prompt: 'Add left-pad.', turn: 2 }, marks: [[10, 21]] });
  surface();
  await asked;
});

test('the same line in another directory of a repository is a separate request and shows the directory', () => {
  const folder = scratchFolder();
  mkdirSync(join(folder, '.git'));
  const one = { ...approvalOf('claude', 'Bash', { command: 'rm -rf ./*' }), projectId: folder };
  const atRoot = shownApproval({ ...one, cwd: folder });
  const below = shownApproval({ ...one, cwd: join(folder, 'tmp', 'cache') });
  expect(below.group).not.toBe(atRoot.group);
  expect(atRoot.place).toBe(basename(folder));
  expect(below.place).toBe(`${basename(folder)}/tmp/cache`);
  // The card names the roots of two repositories.
  const other = scratchFolder();
  mkdirSync(join(other, '.git'));
  expect(shownApproval({ ...one, projectId: other, cwd: other }).group).toBe(atRoot.group);
});
