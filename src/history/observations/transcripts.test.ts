import { execFileSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestHistory } from '../../../test/support/history/history.ts';
import { AGENTS } from '../../agents/_registry.ts';
import { redact } from '../../redact/redact.ts';
import { readSession } from '../sessions/story.ts';
import { createTranscripts } from './transcripts.ts';

const lines = (records: readonly object[]) => `${records.map((one) => JSON.stringify(one)).join('\n')}\n`;
const at = (second: number) => new Date(1_700_000_000_000 + second * 1000).toISOString();

/** A session of an agent with its transcript, in a store. */
function session(agent: string, events: readonly object[], records: readonly object[]) {
  const history = openTestHistory();
  const path = join(dirname(history.path), `${agent}.jsonl`);
  for (const event of events)
    history.send(agent, { session_id: 's', transcript_path: path, cwd: '/p', ...event });
  history.observe();
  writeFileSync(path, lines(records));
  const transcripts = createTranscripts(history.db, AGENTS, redact);
  transcripts.read({ source: agent, sessionId: 's', transcriptPath: path });
  return { ...history, path, transcripts, story: () => readSession(history.db, 's') };
}

const claudeCall = (id: string, command: string, second: number) => ({
  type: 'assistant',
  timestamp: at(second),
  message: {
    id: `msg_${id}`,
    model: 'model-a',
    content: [{ type: 'tool_use', id, name: 'Bash', input: { command } }],
    usage: {
      input_tokens: 100,
      output_tokens: 20,
      cache_read_input_tokens: 7,
      cache_creation_input_tokens: 5,
    },
  },
});

test('blocks of one message count once, and a call that no hook reported is a gap', () => {
  const { story } = session(
    'claude',
    [
      { hook_event_name: 'UserPromptSubmit', prompt: 'go' },
      {
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
        tool_use_id: 'seen',
      },
    ],
    [
      { type: 'user', timestamp: at(0), message: { role: 'user', content: 'go' } },
      {
        type: 'assistant',
        timestamp: at(1),
        message: {
          id: 'msg_seen',
          model: 'model-a',
          content: [{ type: 'text', text: 'First I look.' }],
          usage: { input_tokens: 100, output_tokens: 3 },
        },
      },
      claudeCall('seen', 'ls', 1),
      claudeCall('silent', 'curl evil.example', 2),
      { type: 'user', timestamp: at(3), message: { role: 'user', content: '[Request interrupted by user]' } },
      { type: 'cost-state', totalCostUSD: 0.25 },
    ],
  );
  expect(story()?.transcript).toMatchObject({
    turns: 1,
    interrupts: 1,
    inputTokens: 200,
    outputTokens: 40,
    cacheReadTokens: 14,
    cacheWriteTokens: 10,
    costUsd: 0.25,
    lastMessage: 'First I look.',
    gaps: [{ id: 'silent', tool: 'Bash', input: '{"command":"curl evil.example"}' }],
  });
});

test('continues a transcript where it stopped, even in the middle of a line', () => {
  const { path, transcripts, story } = session(
    'claude',
    [{ hook_event_name: 'UserPromptSubmit', prompt: 'go' }],
    [{ type: 'user', timestamp: at(0), message: { role: 'user', content: 'go' } }],
  );
  const more = lines([claudeCall('x', 'ls', 1)]);
  appendFileSync(path, more.slice(0, 40));
  transcripts.readOn();
  expect(story()?.transcript).toMatchObject({ inputTokens: 0 });
  appendFileSync(path, more.slice(40));
  transcripts.readOn();
  expect(story()?.transcript).toMatchObject({ turns: 1, inputTokens: 100 });
});

test('replays a log with replaced records, checkpoints and rewinds', () => {
  const call = { id: 'c1', name: 'run_shell_command', args: { command: 'exit 3' }, timestamp: at(2) };
  const tokens = { input: 30, output: 4, cached: 10, thoughts: 2, tool: 0, total: 36 };
  const { story } = session(
    'gemini',
    [
      { hook_event_name: 'BeforeAgent', prompt: 'go' },
      { hook_event_name: 'BeforeTool', tool_name: 'run_shell_command', tool_input: { command: 'exit 3' } },
    ],
    [
      { sessionId: 's', startTime: at(0) },
      { $set: { messages: [{ id: 'old', type: 'user', content: 'before the checkpoint' }] } },
      { $rewindTo: 'old' },
      { id: 'u1', type: 'user', content: [{ text: 'go' }] },
      {
        id: 'g1',
        type: 'gemini',
        content: '',
        model: 'model-g',
        tokens,
        toolCalls: [{ ...call, status: 'executing' }],
      },
      {
        id: 'g1',
        type: 'gemini',
        content: 'Half',
        model: 'model-g',
        tokens,
        toolCalls: [{ ...call, status: 'success' }],
      },
      {
        id: 'g2',
        type: 'gemini',
        content: 'All of it.',
        model: 'model-g',
        tokens,
        toolCalls: [{ ...call, id: 'c2', name: 'read_file', status: 'success' }],
      },
    ],
  );
  expect(story()?.transcript).toMatchObject({
    turns: 1,
    inputTokens: 40,
    outputTokens: 8,
    cacheReadTokens: 20,
    reasoningTokens: 4,
    costUsd: null,
    lastMessage: 'All of it.',
    // Hooks of this client get no IDs, so calls are matched by tool and number.
    gaps: [{ id: 'c2', tool: 'read_file' }],
  });
});

test("takes the outcome of a command that hooks don't see from the rollout", () => {
  const codex = { turn_id: 't', model: 'm', permission_mode: 'default' };
  const bash = { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: 'call_1' };
  const { story } = session(
    'codex',
    [
      { ...codex, hook_event_name: 'UserPromptSubmit', prompt: 'go' },
      { ...codex, hook_event_name: 'PreToolUse', ...bash },
      { ...codex, hook_event_name: 'PostToolUse', ...bash, tool_response: '✖ adds (2ms)' },
    ],
    [
      { timestamp: at(0), type: 'turn_context', payload: { model: 'model-c' } },
      {
        timestamp: at(0),
        type: 'event_msg',
        payload: {
          type: 'item_completed',
          item: { type: 'UserMessage', content: [{ type: 'text', text: 'go' }] },
        },
      },
      {
        timestamp: at(1),
        type: 'response_item',
        payload: {
          type: 'function_call',
          name: 'exec_command',
          arguments: '{"cmd":"npm test"}',
          call_id: 'call_1',
        },
      },
      {
        timestamp: at(2),
        type: 'response_item',
        payload: {
          type: 'function_call_output',
          call_id: 'call_1',
          output: 'Wall time: 0\nProcess exited with code 1\nOutput:\n✖ adds',
        },
      },
      {
        timestamp: at(2),
        type: 'response_item',
        payload: {
          type: 'function_call',
          name: 'write_stdin',
          arguments: '{"chars":"y"}',
          call_id: 'call_2',
        },
      },
      {
        timestamp: at(3),
        type: 'token_usage_record',
        payload: {
          usage: { input_tokens: 11, cached_input_tokens: 4, output_tokens: 7, reasoning_output_tokens: 1 },
        },
      },
      {
        timestamp: at(3),
        type: 'event_msg',
        payload: { type: 'task_complete', last_agent_message: 'It fails.' },
      },
    ],
  );
  expect(story()?.transcript).toMatchObject({
    inputTokens: 7,
    cacheReadTokens: 4,
    outputTokens: 7,
    lastMessage: 'It fails.',
    gaps: [{ id: 'call_2', tool: 'write_stdin' }],
  });
  expect(story()?.timeline.map(({ observation }) => observation)).toMatchObject([
    { kind: 'intent' },
    { kind: 'command', purpose: 'test', exitCode: 1, outcome: 'failed', failing: ['adds'] },
    { kind: 'error', where: 'Bash' },
  ]);
  expect(story()?.summary.tests).toEqual({ runs: 1, failed: 1, last: 'failed' });
});

test('redacts a transcript like everything else', () => {
  const secret = `ghp_${'aB3'.repeat(12)}`;
  const { story } = session(
    'claude',
    [{ hook_event_name: 'UserPromptSubmit', prompt: 'go' }],
    [
      { type: 'user', timestamp: at(0), message: { role: 'user', content: 'go' } },
      {
        type: 'assistant',
        timestamp: at(1),
        message: { id: 'm', content: [{ type: 'text', text: `It is ${secret}` }] },
      },
      claudeCall('silent', `curl -H "X: ${secret}"`, 2),
    ],
  );
  expect(JSON.stringify(story())).not.toContain(secret);
  expect(story()?.transcript?.gaps).toHaveLength(1);
});

const said = (id: string, text: string, second: number) => ({
  type: 'assistant',
  timestamp: at(second),
  message: { id, model: 'm', content: [{ type: 'text', text }] },
});

test('links all texts of the agent to their turn and the calls made then', () => {
  const bash = (tool_use_id: string) => ({ tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id });
  const { path, transcripts, story } = session(
    'claude',
    [
      { hook_event_name: 'UserPromptSubmit', prompt: 'first' },
      { hook_event_name: 'UserPromptSubmit', prompt: 'go' },
      { hook_event_name: 'PreToolUse', ...bash('u1') },
      { hook_event_name: 'PreToolUse', ...bash('u2') },
      { hook_event_name: 'PreToolUse', ...bash('u3') },
      { hook_event_name: 'Stop', stop_hook_active: false },
    ],
    [
      { type: 'user', timestamp: at(0), message: { role: 'user', content: 'first' } },
      { type: 'user', timestamp: at(1), message: { role: 'user', content: 'go' } },
      said('msg_u1', 'First I look.', 2),
      said('msg_u1', 'At two places.', 2),
      claudeCall('u1', 'ls', 2),
      claudeCall('u2', 'ls', 2),
    ],
  );
  const messages = () =>
    (story()?.timeline ?? [])
      .filter(({ observation }) => observation.kind === 'message')
      .map(({ promptNumber, toolNumber, observation }) => ({ promptNumber, toolNumber, observation }));
  const first = {
    promptNumber: 2,
    toolNumber: 1,
    observation: { message: { text: 'First I look.\nAt two places.' }, calls: [1, 2] },
  };
  expect(messages()).toMatchObject([first]);
  appendFileSync(
    path,
    lines([
      said('m2', 'And once more.', 3),
      claudeCall('u3', 'ls', 3),
      said('m3', 'All', 4),
      said('m3', 'done.', 4),
    ]),
  );
  transcripts.readOn();
  transcripts.readOn();
  expect(messages()).toMatchObject([
    first,
    { promptNumber: 2, toolNumber: 3, observation: { message: { text: 'And once more.' }, calls: [3] } },
  ]);
  // This stop payload has no message, but the transcript has one.
  expect(story()?.timeline.at(-1)).toMatchObject({
    promptNumber: 2,
    observation: { kind: 'turn_end', message: { text: 'All\ndone.' }, continuation: false },
  });
  expect(story()?.summary.lastMessage).toBe('All\ndone.');
});

test('matches calls without IDs by tool and number', () => {
  const call = (name: string, second: number) => ({
    id: `c${second}`,
    name,
    args: {},
    timestamp: at(second),
    status: 'success',
  });
  const { story } = session(
    'gemini',
    [
      { hook_event_name: 'BeforeAgent', prompt: 'go' },
      { hook_event_name: 'BeforeTool', tool_name: 'read_file', tool_input: { file_path: 'a' } },
      { hook_event_name: 'BeforeTool', tool_name: 'glob', tool_input: { pattern: 'b' } },
      { hook_event_name: 'BeforeTool', tool_name: 'read_file', tool_input: { file_path: 'b' } },
    ],
    [
      { id: 'u1', type: 'user', content: [{ text: 'go' }] },
      { id: 'g1', type: 'gemini', content: 'One.', toolCalls: [call('read_file', 1), call('glob', 2)] },
      { id: 'g2', type: 'gemini', content: 'Two.', toolCalls: [call('read_file', 3)] },
    ],
  );
  const linked = story()?.timeline.filter(({ observation }) => observation.kind === 'message') ?? [];
  expect(linked.map(({ observation }) => observation)).toMatchObject([
    { message: { text: 'One.' }, calls: [1, 2] },
    { message: { text: 'Two.' }, calls: [3] },
  ]);
});

const droidSaid = (second: number, role: string, ...content: readonly object[]) => ({
  type: 'message',
  timestamp: at(second),
  message: { role, content },
});

test('handles tokens in a separate file, an unreported prompt, and an unreported failed call', () => {
  const begun = { hook_event_name: 'PreToolUse', tool_name: 'Execute' };
  const { story, transcripts, path } = session(
    'droid',
    [
      { hook_event_name: 'SessionStart', source: 'startup' },
      { hook_event_name: 'UserPromptSubmit', prompt: 'go' },
      { ...begun, tool_input: { command: 'ls' } },
      {
        ...begun,
        hook_event_name: 'PostToolUse',
        tool_input: { command: 'ls' },
        tool_response: 'a\n[Process exited with code 0]',
      },
      { ...begun, tool_input: { command: 'npm test' } },
      { hook_event_name: 'Stop', stop_hook_active: false },
    ],
    [
      droidSaid(1, 'user', { type: 'text', text: 'go' }),
      {
        type: 'message',
        message: { role: 'user', visibility: 'llm_only', content: [{ type: 'text', text: 'note' }] },
      },
      droidSaid(
        2,
        'assistant',
        { type: 'text', text: 'Let me.' },
        { type: 'tool_use', id: 'c1', name: 'Execute', input: { command: 'ls' } },
        { type: 'tool_use', id: 'c2', name: 'Execute', input: { command: 'npm test' } },
      ),
      droidSaid(
        3,
        'user',
        {
          type: 'tool_result',
          tool_use_id: 'c1',
          is_error: false,
          content: 'a\n[Process exited with code 0]',
        },
        {
          type: 'tool_result',
          tool_use_id: 'c2',
          is_error: true,
          content: 'Error: Command failed (exit code: 3)\n\n[Process exited with code 3]',
        },
      ),
      droidSaid(4, 'user', { type: 'text', text: 'x'.repeat(200_000) }),
      droidSaid(5, 'assistant', { type: 'text', text: 'Done.' }),
    ],
  );
  writeFileSync(
    path.replace('.jsonl', '.settings.json'),
    JSON.stringify({ model: 'custom:x', tokenUsage: { inputTokens: 400, outputTokens: 20 } }),
  );
  appendFileSync(path, lines([{ type: 'agent_turn_outcome', reason: 'completed' }]));
  transcripts.readOn();
  const { transcript, timeline } = story() ?? {};
  expect(transcript).toMatchObject({ turns: 2, inputTokens: 400, outputTokens: 20, lastMessage: 'Done.' });
  expect(transcript?.gaps).toMatchObject([{ tool: 'prompt', input: expect.stringMatching(/^x+/) }]);
  const commands = timeline
    ?.map(({ observation }) => observation)
    .filter(({ kind }) => kind === 'command' || kind === 'error');
  expect(commands).toMatchObject([
    { kind: 'command', command: { text: 'ls' }, exitCode: 0, outcome: 'ok' },
    { kind: 'command', command: { text: 'npm test' }, exitCode: 3, outcome: 'failed' },
    { kind: 'error', where: 'Bash' },
  ]);
});

test('reads a document again after a change', () => {
  const call = { toolName: 'run_commands', toolCallId: 'seen', input: { commands: ['ls'] } };
  const { story, path, transcripts } = session('cline', [{ hook_event_name: 'beforeTool', event: call }], []);
  const answer = (id: string, ...content: readonly object[]) => ({
    id,
    role: 'assistant',
    content,
    ts: 1_700_000_000_000,
    modelInfo: { id: 'model-a' },
    metrics: { inputTokens: 100, outputTokens: 20 },
  });
  const use = (id: string) => ({ type: 'tool_use', id, name: 'run_commands', input: { commands: ['ls'] } });
  const result = { type: 'tool_result', tool_use_id: 'seen', content: [{ query: 'ls', success: true }] };
  const messages: object[] = [
    { role: 'user', content: [{ type: 'text', text: '<user_input mode="act">go</user_input>' }] },
    answer('m1', use('seen')),
    { role: 'user', content: [result] },
  ];
  const write = () => {
    writeFileSync(path, JSON.stringify({ version: 1, messages }, null, 2));
    transcripts.readOn();
  };
  write();
  expect(story()?.transcript).toMatchObject({ turns: 1, gaps: [], lastMessage: null });
  messages.push(answer('m2', { type: 'text', text: 'Done.' }, use('unseen')));
  write();
  const { transcript } = story() ?? {};
  expect(transcript).toMatchObject({ turns: 1, lastMessage: 'Done.', inputTokens: 200, outputTokens: 40 });
  expect(transcript?.gaps).toHaveLength(1);
});

test("doesn't wait for a named pipe in place of a transcript", () => {
  const { db, path } = session('claude', [], []);
  const pipe = `${path}.pipe`;
  execFileSync('mkfifo', [pipe]);
  const { read, readOn } = createTranscripts(db, AGENTS, redact);
  const sources = [...AGENTS.values()].filter(({ history }) => history !== undefined).map(({ id }) => id);
  for (const source of sources) read({ source, sessionId: 's', transcriptPath: pipe });
  readOn();
  expect(sources.length).toBeGreaterThan(5);
  expect(readSession(db, 's')?.transcript ?? null).toBeNull();
});

test('an impossible path blocks no other transcript', () => {
  const { db } = session('claude', [], []);
  const { read, readOn } = createTranscripts(db, AGENTS, redact);
  const sources = [...AGENTS.values()].filter(({ history }) => history !== undefined).map(({ id }) => id);
  for (const source of sources) read({ source, sessionId: 's', transcriptPath: '/tmp/a\0b' });
  readOn();
  expect(readSession(db, 's')?.transcript ?? null).toBeNull();
});
