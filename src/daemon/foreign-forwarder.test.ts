import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWire, scratchHome, startDaemon } from '../../test/support/daemon/daemon.ts';
import { runForwarder } from '../../test/support/daemon/dispatchers.ts';
import { listEvents } from '../store/read/queries.ts';
import { requestLine } from '../wire/request.ts';

const RULES = `rules:
  - { id: no-touch, command: touch, deny: Do not touch. }
  - { id: ask-curl, command: curl, ask: Look first. }
  - { id: quiet, command: npm, rewrite: { command: npm --silent test } }
  - { id: dog, on: before_agent, context: The dog is called Ada. }
  - { id: no-prompt, on: before_agent, prompt: forbidden, deny: Not this. }
  - { id: no-worktree, on: worktree_create, deny: Stay here. }
`;

async function guarded(config = 'approvals: {hold: always}\nhttp: {port: 0}\n') {
  const paths = scratchHome(config);
  writeFileSync(join(paths.rules, 'a.yaml'), RULES);
  const daemon = await startDaemon(paths);
  // Such a forwarder looks for its socket in the project.
  const folder = join(paths.root, 'project/.claude/run');
  mkdirSync(folder, { recursive: true });
  const socket = join(folder, 'ink.sock');
  symlinkSync(daemon.info.socket, socket);
  const forward = async (event: string, more: Record<string, unknown>) => {
    const end = await runForwarder(socket, { session_id: 's1', cwd: '/', hook_event_name: event, ...more });
    return { ...end, json: end.stdout === '' ? null : JSON.parse(end.stdout) };
  };
  return { daemon, forward };
}

const bash = (command: string) => ({ tool_name: 'Bash', tool_input: { command } });

test('deny, ask, rewrite, context and a blocked prompt arrive, although it names no agent', async () => {
  const { daemon, forward } = await guarded();
  const own = async (event: string, more: Record<string, unknown>) =>
    (await forward(event, more)).json?.hookSpecificOutput;
  expect(await own('PreToolUse', bash('touch x'))).toMatchObject({
    permissionDecision: 'deny',
    permissionDecisionReason: expect.stringContaining('Do not touch.'),
  });
  // An approval is possible, but the forwarder would take the line that announces it for the answer.
  expect(await own('PreToolUse', bash('curl x'))).toMatchObject({ permissionDecision: 'ask' });
  expect(await own('PreToolUse', bash('npm test'))).toMatchObject({
    updatedInput: { command: 'npm --silent test' },
  });
  expect(await own('UserPromptSubmit', { prompt: 'hello' })).toMatchObject({
    additionalContext: expect.stringContaining('Ada'),
  });
  expect((await forward('UserPromptSubmit', { prompt: 'forbidden' })).json).toMatchObject({
    decision: 'block',
  });
  expect(await forward('WorktreeCreate', { name: 'x' })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Stay here.'),
  });
  expect(listEvents(daemon.home.db).every(({ source }) => source === 'claude')).toBe(true);
});

test('attributes an event of another client to that client', async () => {
  const { daemon, forward } = await guarded();
  const { json } = await forward('BeforeTool', { ...bash('touch x'), tool_name: 'run_shell_command' });
  expect(json).toMatchObject({ decision: 'deny' });
  expect(listEvents(daemon.home.db)).toMatchObject([{ source: 'gemini' }]);
});

test.each([
  ['open', 'passthrough'],
  ['closed', 'json_output'],
] as const)('a failure with failure: %s is an answer to it: %s', async (failure, action) => {
  const { daemon } = await guarded(`failure: ${failure}\nhttp: {port: 0}\n`);
  daemon.home.db.exec(
    "CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'the disk is full'); END",
  );
  const wire = openWire(daemon.info.socket);
  const payload = { session_id: 's1', cwd: '/', ...bash('ls') };
  const envelope = { request_id: 'r1', ts: Date.now(), hook_event_name: 'PreToolUse', payload };
  wire.send(`${JSON.stringify(envelope)}\n`);
  const [line] = await wire.got(1);
  expect(line).toMatchObject({ request_id: 'r1', payload: { action } });
});

test('our own forwarder is asked to wait, whether it states support or is an older one', async () => {
  const { daemon } = await guarded();
  const payload = { session_id: 's1', cwd: '/', hook_event_name: 'PreToolUse', ...bash('curl x') };
  const stdin = { bytes: Buffer.from(JSON.stringify(payload)), total: 0 };
  const parts = { ts: Date.now(), agent: 'claude', event: 'PreToolUse', env: {}, stdin };
  const now = JSON.parse(requestLine({ ...parts, id: 'now' }).toString());
  expect(now).toMatchObject({
    session_id: 's1',
    hook_event_name: 'PreToolUse',
    accepts: ['hold_ms', 'error', 'confirm'],
  });
  const { accepts, session_id, hook_event_name, ...older } = { ...now, request_id: 'older' };
  for (const request of [now, older]) {
    const wire = openWire(daemon.info.socket);
    wire.send(`${JSON.stringify(request)}\n`);
    expect(await wire.got(1)).toEqual([{ request_id: request.request_id, hold_ms: expect.any(Number) }]);
    wire.socket.destroy();
  }
});
