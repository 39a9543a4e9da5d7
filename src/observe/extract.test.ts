import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AGENTS } from '../agents/_registry.ts';
import type { HookEvent } from '../model/events.ts';
import { observationsOf, type Verdict } from './extract.ts';

const SILENT: Verdict = { decision: 'none', by: [], reason: null };

function told(agent: string, payload: object, verdict = SILENT) {
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
    (STEPS[agent] ?? []).flatMap((payload) => told(agent, payload)),
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
  // Hooks of this client are not told how a command ended: the transcript is asked for that.
  const ended = (list: readonly { readonly kind: string }[] | undefined) =>
    comparable(list)
      ?.filter((one) => !('kind' in one && one.kind === 'error'))
      .map((one) =>
        'kind' in one && one.kind === 'command' ? { ...one, exitCode: null, outcome: null } : one,
      );
  expect(ended(codexTold)).toEqual(ended(claude));
});

test('what was denied is told with who denied it', () => {
  const payload = {
    ...common,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'rm -rf /' },
    tool_use_id: 'u',
  };
  expect(told('claude', payload)).toEqual([]);
  expect(told('claude', payload, { decision: 'deny', by: ['no-rm'], reason: 'Not that.' })).toEqual([
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

test('a long text is cut, and known by its hash', () => {
  const [intent] = told('claude', {
    ...common,
    hook_event_name: 'UserPromptSubmit',
    prompt: 'x'.repeat(5000),
  });
  expect(intent).toMatchObject({ kind: 'intent', prompt: { text: 'x'.repeat(200), length: 5000 } });
  expect(intent).toHaveProperty('prompt.hash', expect.stringMatching(/^[0-9a-f]{64}$/));
});

test('a slash command is told by its name', () => {
  const [intent] = told('claude', { ...common, hook_event_name: 'UserPromptSubmit', prompt: '/review src' });
  expect(intent).toMatchObject({ kind: 'intent', command: 'review' });
});

test('every captured payload of every agent can be observed, and most tell something', async () => {
  const lines: string[] = [];
  for (const agent of AGENTS.values()) {
    const folder = new URL(`../agents/${agent.id}/fixtures/`, import.meta.url);
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
