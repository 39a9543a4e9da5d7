import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AGENTS } from '../../agents/_registry.ts';
import type { HookEvent } from '../../model/events.ts';
import { failingTests, saysTestsFailed } from './commands.ts';
import { type Decided, observationsOf } from './extract.ts';

const SILENT: Decided = { decision: 'none', by: [], reason: null };

function extracted(agent: string, payload: object, verdict = SILENT) {
  const found = AGENTS.get(agent);
  if (!found) throw new Error(`no agent ${agent}`);
  const event = found.decode({ id: 'e1', receivedAt: 1_700_000_000_000, event: null, payload, env: {} });
  return observationsOf(event, verdict, found.history);
}

const common = { session_id: 's', transcript_path: '/t.jsonl', cwd: '/home/dev/shop' };
const codex = { ...common, turn_id: 't', model: 'm', permission_mode: 'default' };

/** One scripted session in three dialects: the same steps in each list. */
const STEPS: Readonly<Record<string, readonly object[]>> = {
  claude: [
    { ...common, hook_event_name: 'SessionStart', source: 'startup' },
    { ...common, hook_event_name: 'UserPromptSubmit', prompt: 'Fix the cart.' },
    {
      ...common,
      hook_event_name: 'PostToolUse',
      tool_name: 'Edit',
      tool_use_id: 'u1',
      tool_input: { file_path: '/home/dev/shop/cart.js', old_string: 'a - b', new_string: 'a + b' },
      tool_response: {
        filePath: '/home/dev/shop/cart.js',
        structuredPatch: [
          { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-a - b', '+a + b'] },
        ],
      },
    },
    {
      ...common,
      hook_event_name: 'PostToolUseFailure',
      tool_name: 'Bash',
      tool_use_id: 'u2',
      tool_input: { command: 'npm test' },
      error: 'Exit code 1\n✖ adds (1.2ms)',
    },
    { ...common, hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: 'Done.' },
  ],
  gemini: [
    { ...common, hook_event_name: 'SessionStart', source: 'startup' },
    { ...common, hook_event_name: 'BeforeAgent', prompt: 'Fix the cart.' },
    {
      ...common,
      hook_event_name: 'AfterTool',
      tool_name: 'replace',
      tool_input: { file_path: 'cart.js', old_string: 'a - b', new_string: 'a + b' },
      tool_response: { llmContent: 'Successfully modified file', returnDisplay: { isNewFile: false } },
    },
    {
      ...common,
      hook_event_name: 'AfterTool',
      tool_name: 'run_shell_command',
      tool_input: { command: 'npm test' },
      tool_response: {
        llmContent:
          '<untrusted_context>\nOutput: ✖ adds (1.2ms)\nExit Code: 1\nProcess Group PGID: 7\n</untrusted_context>',
        returnDisplay: '',
      },
    },
    {
      ...common,
      hook_event_name: 'AfterAgent',
      prompt: 'Fix the cart.',
      prompt_response: 'Done.',
      stop_hook_active: false,
    },
  ],
  codex: [
    { ...codex, hook_event_name: 'SessionStart', source: 'startup' },
    { ...codex, hook_event_name: 'UserPromptSubmit', prompt: 'Fix the cart.' },
    {
      ...codex,
      hook_event_name: 'PostToolUse',
      tool_name: 'apply_patch',
      tool_use_id: 'u1',
      tool_input: { command: '*** Begin Patch\n*** Update File: cart.js\n@@\n-a - b\n+a + b\n*** End Patch' },
      tool_response: 'Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.',
    },
    {
      ...codex,
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_use_id: 'u2',
      tool_input: { command: 'npm test' },
      tool_response: '✖ adds (1.2ms)',
    },
    { ...codex, hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: 'Done.' },
  ],
};

test('the same session tells the same on every agent', () => {
  const [claude, gemini, codexTold] = ['claude', 'gemini', 'codex'].map((agent) =>
    (STEPS[agent] ?? []).flatMap((payload) => extracted(agent, payload)),
  );
  expect(claude).toMatchObject([
    { kind: 'session', boundary: 'start', fresh: true, compaction: false },
    { kind: 'intent', prompt: { text: 'Fix the cart.', hash: null }, command: null },
    { kind: 'file', change: 'modify', path: 'cart.js', before: { text: 'a - b' }, after: { text: 'a + b' } },
    { kind: 'command', purpose: 'test', exitCode: 1, outcome: 'failed', failing: ['adds'] },
    { kind: 'error', where: 'Bash' },
    { kind: 'turn_end', message: { text: 'Done.' }, continuation: false },
  ]);
  const comparable = (list: readonly object[] | undefined) =>
    // How an error is worded is the client's own; so is what stands around the output.
    list?.map((one) => ({ ...one, message: 'message' in one ? typeof one.message : null, output: null }));
  expect(comparable(gemini)).toEqual(comparable(claude));
  // Hooks of this client do not see how a command ended: the transcript is asked for that.
  const ended = (list: readonly { readonly kind: string }[] | undefined) =>
    comparable(list)
      ?.filter((one) => !('kind' in one && one.kind === 'error'))
      .map((one) =>
        'kind' in one && one.kind === 'command' ? { ...one, exitCode: null, outcome: null } : one,
      );
  expect(ended(codexTold)).toEqual(ended(claude));
});

test('what was denied is listed with who denied it', () => {
  const payload = {
    ...common,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'rm -rf /' },
    tool_use_id: 'u',
  };
  expect(extracted('claude', payload)).toEqual([]);
  expect(extracted('claude', payload, { decision: 'deny', by: ['no-rm'], reason: 'Not that.' })).toEqual([
    {
      kind: 'permission',
      tool: 'Bash',
      subject: 'rm -rf /',
      decision: 'deny',
      by: ['no-rm'],
      reason: 'Not that.',
    },
  ]);
});

test('a permission request that may be for nothing is listed only where it was held up', () => {
  const payload = {
    hookName: 'permissionRequest',
    sessionId: 's',
    toolName: 'bash',
    toolInput: { command: 'ls' },
  };
  const event = { ...payload, hook_event_name: 'PermissionRequest' };
  expect(extracted('copilot', event)).toEqual([]);
  expect(extracted('copilot', event, { decision: 'allow', by: ['r'], reason: null })).toEqual([]);
  expect(extracted('copilot', event, { decision: 'deny', by: ['r'], reason: 'No.' })).toMatchObject([
    { kind: 'permission', decision: 'deny' },
  ]);
});

test('a long text is cut, and known by its hash', () => {
  const [intent] = extracted('claude', {
    ...common,
    hook_event_name: 'UserPromptSubmit',
    prompt: 'x'.repeat(5000),
  });
  expect(intent).toMatchObject({ kind: 'intent', prompt: { text: 'x'.repeat(200), length: 5000 } });
  expect(intent).toHaveProperty('prompt.hash', expect.stringMatching(/^[0-9a-f]{64}$/));
});

test('a slash command is recognised by its name', () => {
  const [intent] = extracted('claude', {
    ...common,
    hook_event_name: 'UserPromptSubmit',
    prompt: '/review src',
  });
  expect(intent).toMatchObject({ kind: 'intent', command: 'review' });
});

test('every captured payload of every agent can be observed, and most tell something', async () => {
  const lines: string[] = [];
  for (const agent of AGENTS.values()) {
    const folder = new URL(`../../agents/${agent.id}/fixtures/`, import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('event.json'),
    );
    expect(files.length).toBeGreaterThan(5);
    for (const file of files.sort()) {
      const event: HookEvent = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
      for (const one of observationsOf(event, SILENT, agent.history)) {
        lines.push(`${agent.id} ${file.replace('/event.json', '')}: ${JSON.stringify(one)}`);
      }
    }
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./extract.snap');
});

const ran = (command: string, tool_response: unknown) =>
  extracted('claude', {
    ...common,
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_use_id: 'u',
    tool_input: { command },
    tool_response,
  })[0];

test('a text that states an exit code tells how the command went', () => {
  expect(ran('make lint', 'Exit code 2\nno')).toMatchObject({ outcome: 'failed', exitCode: 2 });
  expect(ran('make lint', 'fine')).toMatchObject({ outcome: 'ok', exitCode: 0 });
  const [gemini] = extracted('gemini', {
    ...common,
    hook_event_name: 'AfterTool',
    tool_name: 'run_shell_command',
    tool_input: { command: 'make lint' },
    tool_response: 'no\nexit status 2',
  });
  expect(gemini).toMatchObject({ outcome: 'failed', exitCode: 2 });
  const [old] = extracted('codex', {
    ...codex,
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_use_id: 'u',
    tool_input: { command: 'make lint' },
    tool_response: 'Exit code: 2\nWall time: 1 seconds\nOutput:\nno',
  });
  expect(old).toMatchObject({ outcome: 'failed', exitCode: 2 });
});

test('a command that was only started has not ended', () => {
  expect(ran('npm test', { stdout: '', stderr: '', backgroundTaskId: 'b1' })).toMatchObject({
    outcome: 'unknown',
    exitCode: null,
  });
});

test('results of a search are counted in a text', () => {
  const searched = (tool_name: string, tool_response: string) =>
    extracted('claude', {
      ...common,
      hook_event_name: 'PostToolUse',
      tool_name,
      tool_input: { pattern: 'x', path: 'src' },
      tool_response,
    })[0];
  expect(searched('Glob', 'a.ts\nb.ts\n')).toMatchObject({ pattern: 'x', scope: 'src', results: 2 });
  expect(searched('Grep', 'No matches found')).toMatchObject({ results: 0 });
  const [gemini] = extracted('gemini', {
    ...common,
    hook_event_name: 'AfterTool',
    tool_name: 'glob',
    tool_input: { pattern: 'x' },
    tool_response: 'a\nb\nc',
  });
  expect(gemini).toMatchObject({ results: 3 });
});

test('a file that was created is distinguished from one that was overwritten by a text as well', () => {
  const wrote = (tool_response: string) =>
    extracted('claude', {
      ...common,
      hook_event_name: 'PostToolUse',
      tool_name: 'Write',
      tool_input: { file_path: '/home/dev/shop/a.js', content: 'x' },
      tool_response,
    })[0];
  expect(wrote('File created successfully at: /home/dev/shop/a.js')).toMatchObject({ change: 'create' });
  expect(wrote('Successfully wrote to /home/dev/shop/a.js')).toMatchObject({ change: 'modify' });
});

test.each([
  [
    'cargo test 2>&1 | tail -5',
    'test cart::adds ... FAILED\ntest result: FAILED. 3 passed; 1 failed',
    ['cart::adds'],
  ],
  ['cargo test 2>&1 | tail -1', 'test result: FAILED. 3 passed; 1 failed', []],
  ['npm test | tail', 'Tests:       1 failed, 5 passed, 6 total', []],
  ['npx vitest run | tail', '      Tests  1 failed | 5 passed (6)', []],
  ['pytest | tail -1', '=== 1 failed, 3 passed in 0.12s ===', []],
  ['npx mocha | tail', '  2 failing', []],
  ['node --test | tail', 'ℹ fail 1', []],
  ['python -m unittest 2>&1 | tail -1', 'FAILED (failures=1)', []],
  ['rspec | tail', '5 examples, 1 failure', []],
  ['go test ./... | tail', 'FAIL\tgithub.com/x/y\t0.1s', ['github.com/x/y']],
  ['mvn test | tail', 'Tests run: 5, Failures: 1, Errors: 0, Skipped: 0', []],
  ['npm test; echo "exit code: $?"', 'exit code: 1', []],
])('%j that printed %j failed', (command, stdout, failing) => {
  expect(ran(command, { stdout, stderr: '' })).toMatchObject({
    outcome: 'failed',
    exitCode: null,
    exitCodeHidden: true,
    failing,
  });
});

test.each([
  ['cargo test 2>&1 | tail', 'test result: ok. 4 passed; 0 failed'],
  ['npm test | tail', 'Tests:       6 passed, 6 total'],
  ['npm test || true', ''],
  ['node --test | tail', 'ℹ fail 0'],
])('the result of %j that printed %j is unknown', (command, stdout) => {
  expect(ran(command, { stdout, stderr: '' })).toMatchObject({
    outcome: 'unknown',
    exitCode: null,
    exitCodeHidden: true,
    failing: [],
  });
});

test('a test run whose exit code is its own passed, whatever it printed', () => {
  expect(ran('cargo test', { stdout: '✖ a test of crosses', stderr: '' })).toMatchObject({
    outcome: 'ok',
    exitCode: 0,
    exitCodeHidden: false,
    failing: [],
  });
});

test('a teammate that goes idle is listed, with its team where there is one', () => {
  const idle = { ...common, hook_event_name: 'TeammateIdle' };
  expect(extracted('claude', { ...idle, teammate_name: 'reviewer', team_name: 'shop' })).toEqual([
    { kind: 'teammate', name: 'reviewer', team: 'shop', change: 'idle' },
  ]);
  expect(extracted('claude', idle)).toEqual([
    { kind: 'teammate', name: 'unknown', team: null, change: 'idle' },
  ]);
});

test('a notification is listed with its title', () => {
  const payload = { ...common, hook_event_name: 'Notification', message: 'Waiting', title: 'Claude Code' };
  expect(extracted('claude', { ...payload, notification_type: 'idle_prompt' })).toEqual([
    { kind: 'notification', topic: 'idle_prompt', title: 'Claude Code', message: 'Waiting' },
  ]);
});

test('a command is described by its purpose', () => {
  const purpose = (command: string) => ran(command, { stdout: '', stderr: '' });
  expect(purpose('npm run build')).toMatchObject({ purpose: 'build' });
  expect(purpose('npm run build && npm test')).toMatchObject({ purpose: 'test' });
  expect(purpose('ls')).toMatchObject({ purpose: 'other' });
});

test.each([
  ['FAIL [   0.003s] shop::cart adds_up', 'shop::cart adds_up'],
  ['1) CartTest::testAddsUp', 'CartTest::testAddsUp'],
  ['  1) [chromium] › cart.spec.ts:3:1 › adds up', '[chromium] › cart.spec.ts:3:1 › adds up'],
  ['00:02 +3 -1: adds up [E]', 'adds up'],
  ['  run "adds_up"... fail', 'adds_up'],
  ['2/3 cart            FAIL            0.02s   exit status 1', 'cart'],
])('%j names a failed test', (line, name) => {
  expect(failingTests(line)).toEqual([name]);
  expect(saysTestsFailed(line)).toBe(true);
});
