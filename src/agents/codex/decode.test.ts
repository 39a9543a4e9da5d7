import { describe, expect, test } from 'vitest';
import { DecodeError } from '../../model/errors.ts';
import type { HookEvent } from '../../model/events.ts';
import { payloads } from './decode.ts';
import codex from './index.ts';

function decode(payload: unknown, event: string | null = null): HookEvent {
  return codex.decode({ id: 'c', receivedAt: 1, event, payload, env: {} });
}

const tool = (tool_name: string, tool_input: object, more: object = {}) =>
  decode({ session_id: 's', hook_event_name: 'PostToolUse', tool_name, tool_input, ...more });

describe('event name', () => {
  test.each(payloads.names)('%s is known in every spelling, and from the caller', (name) => {
    const rest = { session_id: 's', prompt: 'p', tool_name: 'Bash', tool_input: {} };
    const snake = name.replace(/(?<=.)[A-Z]/g, '_$&').toLowerCase();
    for (const spelling of [name, snake, snake.replaceAll('_', '-')]) {
      expect(decode(rest, spelling)).toMatchObject({ nativeEvent: name });
      expect(decode({ ...rest, hook_event_name: spelling }, 'Other')).toMatchObject({ nativeEvent: name });
    }
  });

  test.each(['FutureEvent', '__proto__', 'constructor'])('%s is unknown and passes', (name) => {
    expect(decode({ session_id: 's', hook_event_name: name })).toMatchObject({
      type: 'unknown',
      problem: null,
    });
  });
});

describe('a payload of the wrong shape', () => {
  test.each([
    ['no session', { hook_event_name: 'Stop' }],
    ['a tool without a name', { hook_event_name: 'PreToolUse', session_id: 's', tool_input: {} }],
    [
      'input that is a text',
      { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Bash', tool_input: 'x' },
    ],
    ['a prompt that is missing', { hook_event_name: 'UserPromptSubmit', session_id: 's' }],
  ])('%s', (_, payload) => {
    expect(() => decode(payload)).toThrow(DecodeError);
  });

  test('is described without the value, which may be a secret', () => {
    const payload = {
      hook_event_name: 'PreToolUse',
      session_id: 's',
      tool_name: 'Bash',
      tool_input: 'hunter2',
    };
    expect(() => decode(payload)).toThrow(/PreToolUse.*tool_input/);
    expect(() => decode(payload)).not.toThrow(/hunter2/);
  });
});

describe('tools', () => {
  test.each([
    ['Bash', 'Bash', 'shell'],
    ['apply_patch', 'Edit', 'write'],
    ['spawn_agent', 'Task', 'agent'],
    ['view_image', 'Read', 'read'],
    ['request_user_input', 'AskUserQuestion', 'question'],
    ['mcp__my_server__do__it', 'mcp__my_server__do__it', 'mcp'],
    ['get_goal', 'get_goal', 'other'],
  ])('%s is %s, a %s tool', (native, name, kind) => {
    expect(tool(native, {})).toMatchObject({ tool: { name, nativeName: native, kind } });
  });

  test('of a server are split into server and tool', () => {
    expect(tool('mcp__my_server__do__it', {})).toMatchObject({
      tool: { mcp: { server: 'my_server', tool: 'do__it' } },
    });
  });

  test.each([
    ['Bash', 'output', 'unknown', null],
    ['apply_patch', 'Exit code: 0\nSuccess.', 'ok', null],
    ['apply_patch', 'Exit code: 1\nNo.', 'failed', 'Exit code: 1\nNo.'],
    ['apply_patch', 'something else', 'unknown', null],
    ['mcp__a__b', { isError: true, content: [] }, 'failed', null],
    ['mcp__a__b', { content: [] }, 'ok', null],
  ])('%s that answered %j: %s', (name, tool_response, outcome, error) => {
    expect(tool(name, {}, { tool_response })).toMatchObject({ tool: { outcome, error } });
  });

  test('that are shells run in the directory that they name', () => {
    expect(tool('Bash', { command: 'ls', workdir: 'a' }, {})).toMatchObject({ tool: { cwd: 'a' } });
  });

  test('keep their arguments up to date', () => {
    const event = decode({
      session_id: 's',
      hook_event_name: 'PreToolUse',
      tool_name: 'apply_patch',
      tool_input: { command: '*** Begin Patch\n*** Delete File: a\n*** End Patch' },
    });
    if (event.type !== 'before_tool') throw new Error(event.type);
    const changed = codex.withInput(event.tool, {
      command: '*** Begin Patch\n*** Delete File: b\n*** End Patch',
    });
    expect(changed.files).toEqual([{ op: 'delete', path: 'b' }]);
  });

  test.each([
    ['Bash', { command: 'ls' }, { tool: { name: 'Bash', command: 'ls' } }],
    [
      'Write',
      { file_path: '/a', content: 'x\ny\n' },
      { tool: { name: 'Edit', files: [{ op: 'create', path: '/a' }] } },
    ],
    [
      'Edit',
      { file_path: '/a', old_string: 'x', new_string: 'y' },
      { tool: { files: [{ op: 'edit', path: '/a' }] } },
    ],
    [
      'Read',
      { file_path: '/a' },
      { tool: { nativeName: 'view_image', files: [{ op: 'read', path: '/a' }] } },
    ],
    ['Task', { message: 'm' }, { tool: { nativeName: 'spawn_agent' } }],
    ['mcp__a__b', { t: 1 }, { tool: { mcp: { server: 'a', tool: 'b' } } }],
  ])('%s can be imagined', (name, input, expected) => {
    expect(decode(codex.toolPayload({ id: 'i', tool: name, input, cwd: '/' }))).toMatchObject(expected);
  });
});
