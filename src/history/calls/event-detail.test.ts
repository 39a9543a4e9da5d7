import { expect, test } from 'vitest';
import { openTestHistory } from '../../../test/support/history/history.ts';
import { AGENTS } from '../../agents/_registry.ts';
import { findEvent } from '../../store/read/queries.ts';
import { callDetail } from './event-detail.ts';

const common = { session_id: 's', transcript_path: '', cwd: '/shop' };

function detailOf(agent: string, payload: object) {
  const history = openTestHistory();
  history.send(agent, { ...common, ...payload });
  const stored = findEvent(history.db, 'event-1');
  history.db.close();
  return stored && callDetail(stored, AGENTS);
}

test('shows a change with its context if the client reports it', () => {
  const detail = detailOf('claude', {
    hook_event_name: 'PostToolUse',
    tool_name: 'Edit',
    tool_use_id: 'u1',
    tool_input: { file_path: '/shop/a.css', old_string: 'red', new_string: 'blue' },
    tool_response: {
      structuredPatch: [{ oldStart: 7, newStart: 8, lines: [' a {', '-red', '+blue', '\\ No newline'] }],
    },
    duration_ms: 5,
  });
  expect(detail?.changes).toEqual([
    {
      path: '/shop/a.css',
      lines: [
        { mark: '@', text: '@@ line 8' },
        { mark: ' ', text: 'a {' },
        { mark: '-', text: 'red' },
        { mark: '+', text: 'blue' },
        { mark: '@', text: '\\ No newline' },
      ],
    },
  ]);
  expect(detail?.result).toMatchObject({ outcome: 'ok', error: null, durationMs: 5 });
});

test('several edits of one file are several changes', () => {
  const edits = [
    { old_string: 'a', new_string: 'b' },
    { old_string: '', new_string: 'c' },
  ];
  const call = { tool_name: 'MultiEdit', tool_use_id: 'u1', tool_input: { file_path: '/shop/a', edits } };
  const detail = detailOf('claude', { hook_event_name: 'PreToolUse', ...call });
  expect(detail?.changes.map(({ lines }) => lines.map(({ mark, text }) => mark + text))).toEqual([
    ['-a', '+b'],
    ['+c'],
  ]);
  expect(detail?.result).toBeNull();
});

test.each([
  [
    'claude',
    { hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_use_id: 'u' },
    { stdout: 'hi', stderr: '' },
    'hi',
  ],
  [
    'gemini',
    { hook_event_name: 'AfterTool', tool_name: 'glob' },
    { llmContent: 'Found 1 file', returnDisplay: '' },
    'Found 1 file',
  ],
  [
    'codex',
    {
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      turn_id: 't',
      model: 'm',
      permission_mode: 'default',
    },
    'hi\n',
    'hi\n',
  ],
])("%s: shows a call's result as text", (agent, payload, tool_response, output) => {
  const detail = detailOf(agent, { ...payload, tool_input: { command: 'echo hi' }, tool_response });
  expect(detail?.result?.output).toBe(output);
});

test('shows an unknown result as JSON; an event without a call has no detail', () => {
  const call = { tool_name: 'Odd', tool_use_id: 'u', tool_input: {}, tool_response: { n: 1 } };
  expect(detailOf('claude', { hook_event_name: 'PostToolUse', ...call })?.result?.output).toBe(
    '{\n  "n": 1\n}',
  );
  expect(detailOf('claude', { hook_event_name: 'UserPromptSubmit', prompt: 'Go.' })).toBeNull();
});
