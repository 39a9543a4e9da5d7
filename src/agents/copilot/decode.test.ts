import { expect, test } from 'vitest';
import { DecodeError } from '../../model/errors.ts';
import copilot from './index.ts';

const read = (tool_name: string, tool_input: unknown) =>
  copilot.decode({
    id: 'c',
    receivedAt: 1,
    event: 'PreToolUse',
    payload: { hook_event_name: 'PreToolUse', session_id: 's', tool_name, tool_input },
    env: {},
  });

test('parses arguments that are JSON in a text', () => {
  expect(read('Bash', '{"command":"rm -rf x"}')).toMatchObject({ tool: { command: 'rm -rf x' } });
  expect(read('create', '{"path":"a"}')).toMatchObject({ tool: { files: [{ op: 'write', path: 'a' }] } });
});

test('throws on an unreadable command', () => {
  expect(() => read('Bash', 'rm -rf x')).toThrow(DecodeError);
  expect(() => read('powershell', '"rm"')).toThrow(DecodeError);
});

test("an argument that looks like a patch doesn't hide the file", () => {
  const both = { path: 'a', patch: '*** Delete File: b' };
  expect(read('Write', both)).toMatchObject({
    tool: {
      files: [
        { op: 'delete', path: 'b' },
        { op: 'write', path: 'a' },
      ],
    },
  });
});
