import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchHome, startDaemon } from '../../test/support/daemon/daemon.ts';
import { runDispatcher } from '../../test/support/daemon/dispatchers.ts';
import { scratchFolder } from '../../test/support/scratch.ts';
import { listEvents } from '../store/read/queries.ts';
import { hookRoutes } from './http-hooks.ts';

const RULES = `rules:
  - { id: no-touch, command: touch, deny: Do not touch. }
  - { id: ask-curl, command: curl, ask: Look first. }
  - { id: no-etc, writes: /etc/**, deny: System files stay. }
  - { id: quiet, command: npm, rewrite: { command: npm --silent test } }
  - { id: dog, on: before_agent, context: The dog is called Ada. }
  - { id: no-prompt, on: before_agent, prompt: 'forbidden', deny: Not this. }
  - { id: enough, command: halt-now, halt: Enough. }
`;
const OPEN = 'http: {port: 0, hooksWithoutToken: true}\n';

async function guarded(config = OPEN) {
  const paths = scratchHome(config);
  writeFileSync(join(paths.rules, 'a.yaml'), RULES);
  const daemon = await startDaemon(paths);
  const dispatch = (type: string, input: unknown, source?: string) =>
    runDispatcher({ url: daemon.info.http, type, input, ...(source === undefined ? {} : { source }) });
  return { daemon, dispatch };
}

const bash = (command: string) => ({
  session_id: 's1',
  cwd: '/',
  tool_name: 'Bash',
  tool_input: { command },
});
const shell = (command: string) => ({ ...bash(command), tool_name: 'run_shell_command' });

describe('a dispatcher for Claude Code', () => {
  test.each([['claude'], [undefined], ['claude_sdk']])('is refused, with source %s', async (source) => {
    const { dispatch, daemon } = await guarded();
    const { code, stdout } = await dispatch('pre-tool-use', bash('touch x'), source);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 0,
      hookSpecificOutput: {
        permissionDecision: 'deny',
        permissionDecisionReason: expect.stringContaining('Do not touch.'),
      },
    });
    expect(listEvents(daemon.home.db)).toMatchObject([
      { source: 'claude', sessionId: 's1', rules: ['no-touch'] },
    ]);
  });

  test('gets a question, a rewrite and context in the words of the client', async () => {
    const { dispatch } = await guarded();
    const asked = await dispatch('pre-tool-use', bash('curl x'), 'claude');
    expect(JSON.parse(asked.stdout).hookSpecificOutput).toMatchObject({ permissionDecision: 'ask' });
    const rewritten = await dispatch('pre-tool-use', bash('npm test'), 'claude');
    expect(JSON.parse(rewritten.stdout).hookSpecificOutput).toMatchObject({
      updatedInput: { command: 'npm --silent test' },
    });
    const prompt = await dispatch('user-prompt-submit', { session_id: 's1', prompt: 'hello' }, 'claude');
    expect(JSON.parse(prompt.stdout).hookSpecificOutput).toMatchObject({
      additionalContext: expect.stringContaining('The dog is called Ada.'),
    });
  });

  test('blocks a prompt with exit code 2', async () => {
    const { dispatch } = await guarded();
    const { code, stderr } = await dispatch(
      'user-prompt-submit',
      { session_id: 's1', prompt: 'forbidden' },
      'claude',
    );
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Not this.') });
  });

  test('prints nothing without an opinion, so that nothing is approved', async () => {
    const { dispatch } = await guarded();
    expect(await dispatch('pre-tool-use', bash('ls'), 'claude')).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('a dispatcher for Claude Code, in words of its own', () => {
  test('does not turn the end of a turn into a refusal to stop', async () => {
    const paths = scratchHome(OPEN);
    writeFileSync(join(paths.rules, 'a.yaml'), 'rules: [{ id: end, on: stop, halt: Enough. }]\n');
    const daemon = await startDaemon(paths);
    const input = { session_id: 's1', stop_hook_active: false };
    const { code } = await runDispatcher({ url: daemon.info.http, type: 'stop', input });
    expect(code).toBe(0);
    expect(listEvents(daemon.home.db)).toMatchObject([{ type: 'stop', response: { halt: 'Enough.' } }]);
  });

  test.each([
    ['file', 'write', '/etc/hosts', 'System files stay.'],
    ['directory', 'write', '/etc/ssl', 'System files stay.'],
    ['command', 'execute', 'touch x', 'Do not touch.'],
  ])('asks permission for a %s: %s %s', async (resource, action, target, reason) => {
    const { dispatch } = await guarded();
    const input = { session_id: 's1', cwd: '/', resource, action, target, reason: 'Needed.' };
    const { stdout } = await dispatch('permission-request', input, 'claude');
    expect(JSON.parse(stdout).hookSpecificOutput.decision).toEqual({
      behavior: 'deny',
      message: expect.stringContaining(reason),
    });
  });

  test('may read what is only not to be written', async () => {
    const { dispatch } = await guarded();
    const input = { session_id: 's1', cwd: '/', resource: 'file', action: 'read', target: '/etc/hosts' };
    expect(await dispatch('permission-request', input, 'claude')).toMatchObject({ code: 0, stdout: '' });
  });

  test.each([
    ['run_command', { CommandLine: 'touch x', Cwd: '/tmp' }],
    ['write_to_file', { TargetFile: '/etc/hosts', CodeContent: 'x' }],
    ['replace_file_content', { TargetFile: '/etc/hosts' }],
  ])('for Antigravity is guarded by tool and path: %s', async (name, args) => {
    const { dispatch } = await guarded();
    for (const input of [
      { session_id: 's1', tool_name: name, tool_input: args },
      { conversationId: 's1', workspacePaths: ['/w'], toolCall: { name, args: JSON.stringify(args) } },
    ]) {
      const { stdout } = await dispatch('pre-tool-use', input, 'antigravity');
      expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({ permissionDecision: 'deny' });
    }
  });
});

describe('a dispatcher for Gemini CLI', () => {
  test.each([
    ['run_shell_command', { command: 'touch x' }, 'Do not touch.'],
    ['edit_file', { file_path: '/etc/hosts' }, 'System files stay.'],
    ['ReplaceTool', { file_path: '/etc/hosts' }, 'System files stay.'],
  ])('maps a refusal of %s to exit code 2', async (tool_name, tool_input, reason) => {
    const { dispatch } = await guarded();
    const input = { session_id: 'g1', cwd: '/', tool_name, tool_input };
    const refused = { code: 2, stdout: '', stderr: expect.stringContaining(reason) };
    expect(await dispatch('BeforeTool', input, 'gemini')).toEqual(refused);
    const other = { session_id: 'g1', cwd: '/', function_name: tool_name, parameters: tool_input };
    expect(await dispatch('BeforeTool', other, 'gemini')).toEqual(refused);
  });

  test('gets context, a rewrite, and an answer that is never empty', async () => {
    const { dispatch } = await guarded();
    const prompt = await dispatch('BeforeAgent', { session_id: 'g1', prompt: 'hello' }, 'gemini');
    expect(JSON.parse(prompt.stdout).hookSpecificOutput.additionalContext).toContain('Ada');
    const rewritten = await dispatch('BeforeTool', shell('npm test'), 'gemini');
    expect(JSON.parse(rewritten.stdout).hookSpecificOutput.tool_input.command).toBe('npm --silent test');
    // Printing nothing would make the client read the log of the script as an answer.
    expect(await dispatch('BeforeTool', shell('ls'), 'gemini')).toMatchObject({
      stdout: '{"continue":true}',
    });
    expect(await dispatch('BeforeToolSelection', { session_id: 'g1' }, 'gemini')).toMatchObject({
      stdout: '',
    });
  });

  test('blocks a prompt', async () => {
    const { dispatch } = await guarded();
    const input = { session_id: 'g1', prompt: 'forbidden' };
    expect(await dispatch('BeforeAgent', input, 'gemini')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Not this.'),
    });
  });

  test('whose source comes after the limit is known by its event', async () => {
    const { dispatch } = await guarded();
    const input = shell('x'.repeat(17 << 20));
    expect(await dispatch('BeforeTool', input, 'gemini')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("can't check this call"),
    });
  });
});

test('a turn that Codex has completed is an event of its session', async () => {
  const { dispatch, daemon } = await guarded();
  const input = {
    session_id: 't1',
    event_type: 'agent-turn-complete',
    last_message: 'Done.',
    input_messages: [{ text: 'Do it.' }],
  };
  expect(await dispatch('AgentTurnComplete', input, 'codex')).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(listEvents(daemon.home.db)).toMatchObject([
    {
      source: 'codex',
      sessionId: 't1',
      type: 'after_agent',
      event: { prompt: 'Do it.', lastAssistantMessage: 'Done.' },
    },
  ]);
});

describe('what a dispatcher knows better', () => {
  test('wins, and the rules of the project apply all the same', async () => {
    const { dispatch, daemon } = await guarded();
    const project = scratchFolder();
    mkdirSync(join(project, '.hookline/rules'), { recursive: true });
    writeFileSync(
      join(project, '.hookline/rules/p.yaml'),
      'rules: [{ id: p, command: make, deny: Not here. }]\n',
    );
    const ids = { workflow_id: 'w', user_id: 'u', project_id: 'p', machine_id: 'm' };
    const { stdout } = await dispatch(
      'pre-tool-use',
      { ...bash('make all'), cwd: project, ...ids },
      'claude',
    );
    expect(stdout).toContain('Not here.');
    expect(listEvents(daemon.home.db)).toMatchObject([{ projectId: 'p', event: { workflowId: 'w' } }]);
    expect(daemon.home.db.prepare('select machine_id, user_id from events').all()).toEqual([
      { machine_id: 'm', user_id: 'u' },
    ]);
  });

  test('of a session survives a payload that cannot be read', async () => {
    const { dispatch, daemon } = await guarded();
    await dispatch('pre-tool-use', { session_id: 's1', tool_name: 5 }, 'claude');
    await dispatch('', { session_id: 's2', tool_name: 'Bash' }, 'claude');
    await dispatch('pre-tool-use', { session_id: 's3', tool_input: nested(300) }, 'claude');
    expect(
      listEvents(daemon.home.db)
        .map(({ sessionId }) => sessionId)
        .sort(),
    ).toEqual(['s1', 's2', 's3']);
  });
});

describe('when something is odd', () => {
  test('a dispatcher takes a daemon that admits no scripts for stopped', async () => {
    const { dispatch, daemon } = await guarded('http: {port: 0}\n');
    expect(await dispatch('pre-tool-use', bash('touch x'), 'claude')).toMatchObject({
      code: 0,
      stdout: '{"status":"daemon_not_running"}',
    });
    expect(listEvents(daemon.home.db)).toEqual([]);
  });

  test.each([
    ['open', 1],
    ['closed', 2],
  ])('an unknown source, with failure: %s, makes it exit with %s', async (failure, code) => {
    const { dispatch } = await guarded(`failure: ${failure}\n${OPEN}`);
    expect(await dispatch('pre-tool-use', bash('ls'), 'cursed')).toMatchObject({ code });
  });

  test.each([['qwen', 'run_shell_command']])(
    'a script that speaks for %s is answered by the rules, and recorded as that agent',
    async (source, name) => {
      const { daemon, dispatch } = await guarded();
      const input = { session_id: 's', cwd: '/p', tool_name: name, tool_input: { command: 'touch x' } };
      const answer = await dispatch('PreToolUse', input, source);
      expect(listEvents(daemon.home.db)).toMatchObject([
        {
          source,
          type: 'before_tool',
          tool: { input: { command: 'touch x' } },
          response: { decision: 'deny' },
        },
      ]);
      expect(answer).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(answer.stdout)).toMatchObject({
        hookSpecificOutput: {
          permissionDecision: 'deny',
          permissionDecisionReason: expect.stringContaining('Do not touch.'),
        },
      });
    },
  );

  test.each([
    ['/hooks/claude', { hook_event_name: 'PreToolUse', ...bash('ls') }, 'permissionDecision'],
    ['/hooks/execute', { hook_type: 'pre-tool-use', input_data: bash('ls') }, 'permissionDecision'],
    ['/hooks/execute', { hook_type: 'BeforeTool', input_data: shell('ls'), source: 'gemini' }, 'deny'],
    ['/hooks/codex', { hook_event_name: 'PreToolUse', ...bash('ls') }, 'permissionDecision'],
  ])('a failure inside is answered as the user wants failures to be: %s', async (path, body, word) => {
    const { daemon } = await guarded();
    const hub = { ...daemon.hub, call: () => Promise.reject(new Error('the disk is full')) };
    const post = (failure: 'open' | 'closed') =>
      hookRoutes({ hub, config: { failure }, log: () => {} })
        .onError((_, c) => c.text('', 500))
        .request(path, {
          method: 'POST',
          body: JSON.stringify(body),
        });
    const closed = await post('closed');
    expect(closed.status).toBe(200);
    const text = await closed.text();
    expect(text).toContain(word);
    expect(text).toContain('the disk is full');
    expect((await post('open')).status).toBe(500);
  });
});

function nested(levels: number): unknown {
  return JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
}
