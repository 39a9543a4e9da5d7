import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchHome, startDaemon } from '../../test/support/daemon/daemon.ts';
import { runDispatcher, SCRIPTS } from '../../test/support/daemon/dispatchers.ts';
import { listEvents } from '../store/read/queries.ts';

const RULES = `rules:
  - { id: no-touch, command: touch, deny: Do not touch. }
  - { id: no-etc, writes: /etc/**, deny: System files stay. }
  - { id: ask-curl, command: curl, ask: Look first. }
  - { id: quiet, command: npm, rewrite: { command: npm --silent test } }
  - { id: no-server, mcp: gobby, deny: Not that server. }
  - { id: hint, command: make, deny: Not make. }
  - { id: more, command: make, context: Use just. }
  - { id: welcome, on: session_start, context: The dog is called Ada. }
  - { id: dog, on: before_agent, context: The dog is called Ada. }
  - { id: no-prompt, on: before_agent, prompt: forbidden, deny: Not this. }
  - { id: enough, on: after_tool, command: enough, halt: Enough. }
  - { id: enough-before, command: too-much, deny: Too much., halt: Enough. }
  - { id: tests, on: [stop, after_agent], cwd: /refused, deny: Run the tests. }
  - { id: missing, command: stat, deny: "There is no such file, so stat can't open it." }
  - { id: over, on: [stop, after_agent], cwd: /halted, halt: Enough. }
`;

async function guarded() {
  const paths = scratchHome('http: {port: 0, hooksWithoutToken: true}\n');
  writeFileSync(join(paths.rules, 'a.yaml'), RULES);
  const daemon = await startDaemon(paths);
  return { daemon, url: daemon.info.http };
}

const tool = (name: string, input: unknown) => ({
  session_id: 's1',
  cwd: '/',
  tool_name: name,
  tool_input: input,
});
const turn = (cwd: string) => ({ session_id: 's1', cwd, stop_hook_active: false });
const prompt = (text: string) => ({ session_id: 's1', cwd: '/', prompt: text });

interface Words {
  readonly before: string;
  readonly after: string;
  readonly prompt: string;
  readonly start: string;
  readonly end: string;
  readonly shell: string;
}

const AGENTS: Readonly<Record<string, Words>> = {
  claude: {
    before: 'pre-tool-use',
    after: 'post-tool-use',
    prompt: 'user-prompt-submit',
    start: 'session-start',
    end: 'stop',
    shell: 'Bash',
  },
  gemini: {
    before: 'BeforeTool',
    after: 'AfterTool',
    prompt: 'BeforeAgent',
    start: 'SessionStart',
    end: 'AfterAgent',
    shell: 'run_shell_command',
  },
  codex: {
    before: 'PreToolUse',
    after: 'PostToolUse',
    prompt: 'UserPromptSubmit',
    start: 'SessionStart',
    end: 'Stop',
    shell: 'Bash',
  },
};

/** The call to check, with its event and payload. */
function casesOf({ before, after, prompt: prompted, start, end, shell }: Words) {
  const run = (command: string) => tool(shell, { command });
  return {
    'a refusal': [before, run('touch x')],
    'a refusal with context': [before, run('make')],
    'a question': [before, run('curl x')],
    'a rewrite': [before, run('npm test')],
    'no decision': [before, run('ls')],
    'a refusal and the end of the turn': [before, run('too-much')],
    'the end of the turn after a tool': [after, { ...run('enough'), tool_response: 'done' }],
    'context at the start': [start, { session_id: 's1', cwd: '/', source: 'startup' }],
    'context with a prompt': [prompted, prompt('hello')],
    'a blocked prompt': [prompted, prompt('forbidden')],
    'a turn that may not end': [end, turn('/refused')],
    'a turn that is to end': [end, turn('/halted')],
  } satisfies Record<string, readonly [string, object]>;
}

describe.each(Object.entries(AGENTS))('scripts for %s', (source, words) => {
  test('turn each answer into the expected response', async () => {
    const { url } = await guarded();
    const answers: Record<string, unknown> = {};
    for (const [name, [type, input]] of Object.entries(casesOf(words))) {
      const ends = new Map<string, string[]>();
      for (const script of SCRIPTS) {
        // Uses a new session each time, because repeated denials get a different text.
        const sent = { ...input, session_id: script };
        const end = readable(await runDispatcher({ url, type, input: sent, source, script }));
        ends.set(end, [...(ends.get(end) ?? []), script]);
      }
      answers[name] = Object.fromEntries([...ends].map(([end, by]) => [by.join(', '), JSON.parse(end)]));
    }
    await expect(`${JSON.stringify(answers, null, 2)}\n`).toMatchFileSnapshot(`dispatchers/${source}.json`);
  });
});

const readable = ({ code, stdout, stderr }: Awaited<ReturnType<typeof runDispatcher>>) =>
  JSON.stringify({
    code,
    ...(stdout === '' ? {} : { stdout: JSON.parse(stdout) }),
    ...(stderr === '' ? {} : { stderr }),
  });

test.each([
  ['claude', 'exits', 'post-tool-use'],
  ['claude', 'newer', 'post-tool-use'],
  ['gemini', 'exits', 'AfterTool'],
] as const)(
  'a stop denied with an exit code by %s scripts of kind “%s” is recorded as degraded',
  async (source, script, type) => {
    const { daemon, url } = await guarded();
    const shell = AGENTS[source]?.shell ?? '';
    await runDispatcher({ url, source, script, type, input: tool(shell, { command: 'enough' }) });
    expect(listEvents(daemon.home.db)).toMatchObject([
      {
        response: { halt: 'Enough.' },
        degraded: [{ effect: 'halt', reason: expect.stringContaining('goes on') }],
      },
    ]);
  },
);

test.each([
  ['gemini', 'newer', 'AfterTool', 'enough'],
  ['claude', 'newer', 'pre-tool-use', 'touch x'],
] as const)(
  "a full answer to %s through a script of kind “%s” on %s isn't degraded",
  async (source, script, type, command) => {
    const { daemon, url } = await guarded();
    await runDispatcher({ url, source, script, type, input: tool(AGENTS[source]?.shell ?? '', { command }) });
    expect(listEvents(daemon.home.db)).toMatchObject([{ degraded: [] }]);
  },
);

test.each(['newer', 'program'] as const)(
  '%s scripts deny important calls if Hookline fails',
  async (script) => {
    const { url } = await guarded();
    const unknown = { url, script, source: 'cursed', input: { session_id: 's1' } };
    expect(await runDispatcher({ ...unknown, type: 'pre-tool-use' })).toMatchObject({ code: 1 });
    expect(
      await runDispatcher({ ...unknown, source: 'codex', type: 'SessionStart', url: `${url}/nowhere` }),
    ).toMatchObject({ code: 2 });
  },
);

describe('tool names', () => {
  test.each([
    ['commandExecution', { command: 'touch x' }, 'no-touch'],
    ['run_shell_command', { command: 'touch x' }, 'no-touch'],
    ['RunShellCommand', { command: 'touch x' }, 'no-touch'],
    ['write_file', { file_path: '/etc/hosts' }, 'no-etc'],
    ['WriteFile', { file_path: '/etc/hosts' }, 'no-etc'],
    ['edit_file', { file_path: '/etc/hosts' }, 'no-etc'],
    ['EditFile', { file_path: '/etc/hosts' }, 'no-etc'],
  ])('guards Codex tools in their map: %s', async (name, input, rule) => {
    const { daemon, url } = await guarded();
    const sent = {
      url,
      source: 'codex',
      script: 'newer' as const,
      type: 'PreToolUse',
      input: tool(name, input),
    };
    const { stdout } = await runDispatcher(sent);
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({ permissionDecision: 'deny' });
    expect(listEvents(daemon.home.db)).toMatchObject([{ rules: expect.arrayContaining([rule]) }]);
  });

  test.each([
    ['read_file', 'Read'],
    ['ReadFile', 'Read'],
    ['glob', 'Glob'],
    ['GlobTool', 'Glob'],
    ['grep', 'Grep'],
    ['GrepTool', 'Grep'],
  ])('knows Codex tools in their map: %s', async (name, known) => {
    const { daemon, url } = await guarded();
    await runDispatcher({ url, source: 'codex', script: 'newer', type: 'PreToolUse', input: tool(name, {}) });
    expect(listEvents(daemon.home.db)).toMatchObject([{ event: { tool: { name: known } } }]);
  });

  test.each(['call_tool', 'mcp_gobby_call_tool', 'mcp__gobby__call_tool'])(
    "treats tools of their MCP server as that server's: %s",
    async (name) => {
      const { url } = await guarded();
      const input = tool(name, { server_name: 'x' });
      const { stderr } = await runDispatcher({ url, source: 'gemini', type: 'BeforeTool', input });
      expect(stderr).toContain('Not that server.');
    },
  );
});

describe('the newer name of Antigravity', () => {
  const agy = (url: string, name: string, args: unknown) =>
    runDispatcher({
      url,
      source: 'agy',
      script: 'program',
      type: 'PreToolUse',
      input: { conversationId: 's1', workspacePaths: ['/w'], toolCall: { name, args } },
    });

  test("gets a denial in the editor's format and nothing else", async () => {
    const { daemon, url } = await guarded();
    for (const command of ['touch x', 'curl x'])
      expect(JSON.parse((await agy(url, 'run_command', { CommandLine: command })).stdout)).toEqual({
        decision: 'deny',
        reason: expect.any(String),
      });
    expect(await agy(url, 'run_command', { CommandLine: 'npm test' })).toMatchObject({ stdout: '' });
    expect(listEvents(daemon.home.db).map(({ degraded }) => degraded.map(({ effect }) => effect))).toEqual(
      expect.arrayContaining([[], ['ask'], ['rewrite']]),
    );
  });
});

test('no denial contains words that make Claude Code treat the script as missing', async () => {
  const { url } = await guarded();
  const call = { url, source: 'claude', script: 'newer' as const };
  const input = tool('Bash', { command: 'stat x' });
  const denied = await runDispatcher({ ...call, type: 'pre-tool-use', input });
  expect(denied).toMatchObject({ code: 2, stderr: expect.stringContaining('no\u00a0such\u00a0file') });
  expect(denied.stderr).not.toMatch(/no such file|can't open/i);
});

test('records the project that a newer script sends, unless the payload has one', async () => {
  const { daemon, url } = await guarded();
  const call = { url, source: 'claude', script: 'newer' as const, type: 'pre-tool-use', project: 'p1' };
  await runDispatcher({ ...call, input: tool('Bash', { command: 'ls' }) });
  await runDispatcher({ ...call, input: { ...tool('Bash', { command: 'ls' }), project_id: 'p2' } });
  expect(listEvents(daemon.home.db).map(({ projectId }) => projectId)).toEqual(
    expect.arrayContaining(['p1', 'p2']),
  );
});
