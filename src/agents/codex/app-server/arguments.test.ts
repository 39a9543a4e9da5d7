import { expect, test } from 'vitest';
import { configFlags, opensTerminal, parseExec, parseJoin } from './arguments.ts';

test('a task has its prompt, its directory and its settings', () => {
  const args = ['-m', 'gpt-5.5', '-s', 'read-only', '-C', 'web', '-c', 'a=1', '--enable', 'x', 'fix', 'it'];
  expect(parseExec(args, '/p')).toEqual({
    task: { prompt: 'fix it', cwd: '/p/web', model: 'gpt-5.5', sandbox: 'read-only' },
    config: ['-c', 'a=1', '--enable', 'x'],
  });
});

test.each<[string, () => unknown]>([
  ['exec needs a prompt', () => parseExec([], '/p')],
  ['Unknown option', () => parseExec(['--bogus', 'x'], '/p')],
  ['Unexpected argument "b"', () => parseJoin(['unix:///a', 'b'])],
  ['is not a URL', () => parseJoin(['localhost:4500'])],
])('%s', (message, parse) => {
  expect(parse).toThrow(message);
});

test('an address has its token in a file or a variable', () => {
  expect(parseJoin([])).toEqual({ url: null, tokenFile: null, tokenEnv: null });
  expect(parseJoin(['ws://127.0.0.1:1', '--token-file', '/t'])).toMatchObject({ tokenFile: '/t' });
});

test('settings of the terminal client also apply to its server', () => {
  const args = ['-c', 'a=1', '--model', 'm', '--config=b=2', 'resume', '--enable', 'f', '--last'];
  expect(configFlags(args)).toEqual(['-c', 'a=1', '--config=b=2', '--enable', 'f']);
});

test.each([
  [[], true],
  [['help me'], true],
  [['resume', '--last'], true],
  [['-m', 'review', 'go on'], true],
  [['login'], false],
  [['-c', 'a=1', 'mcp', 'list'], false],
  [['--version'], false],
  [['--remote', 'ws://127.0.0.1:1'], false],
])('%j opens the terminal client: %s', (args, opens) => {
  expect(opensTerminal(args)).toBe(opens);
});
