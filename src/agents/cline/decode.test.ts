import { expect, test } from 'vitest';
import { commandLine, commandsIn } from './decode.ts';
import cline from './index.ts';

test.each([
  ['echo a', ['echo a']],
  [
    ['echo a', 'echo b'],
    ['echo a', 'echo b'],
  ],
  [{ commands: 'echo a' }, ['echo a']],
  [{ commands: ['echo a', { command: 'echo', args: ['b'] }] }, ['echo a', 'echo b']],
  [{ command: 'echo a' }, ['echo a']],
  [{ cmd: 'echo a' }, ['echo a']],
  [{ command: 'echo', args: ['a'] }, ['echo a']],
  // Which of them runs is not ours to guess.
  [{ commands: ['echo a'], command: 'echo b', cmd: 'echo c' }, ['echo a', 'echo c', 'echo b']],
  [{ command: 'echo', args: ['$(id)'] }, ["echo '$(id)'", 'echo $(id)']],
])('reads the commands of %j', (input, commands) => {
  expect(commandsIn(input)).toEqual(commands);
});

test.each([[{}], [[]], [{ commands: [] }], [{ commands: [7] }], [{ command: 'x', args: 'y' }], [null], [7]])(
  "doesn't guess what %j would run",
  (input) => {
    expect(commandsIn(input)).toBeNull();
    const event = { toolName: 'run_commands', toolCallId: 'c1', input };
    const payload = { hook_event_name: 'beforeTool', session_id: 's', event };
    const decode = () => cline.decode({ id: 'e', receivedAt: 1, event: null, payload, env: {} });
    expect(decode).toThrow('without commands that can be read');
  },
);

test('keeps one command unchanged; of several, none can hide another', () => {
  expect(commandLine(['cd a && ls'])).toBe('cd a && ls');
  expect(commandLine(['cat <<EOF', "echo 'it", 'rm -r b'])).toBe(
    "sh -c 'cat <<EOF'\nsh -c 'echo '\\''it'\nsh -c 'rm -r b'",
  );
});
