import { describe, expect, test } from 'vitest';
import { type ToolCall, toolKind } from '../model/tools.ts';
import { exampleBase } from './example-event.ts';
import { factsOf, rulesIn, session } from './testing.ts';

const PROJECT = '/home/dev/project';

function call(name: string, input: Record<string, unknown>, mcp: ToolCall['mcp'] = null) {
  return {
    ...exampleBase({ sessionId: 's1', cwd: PROJECT, projectId: PROJECT }),
    type: 'before_tool' as const,
    tool: {
      name,
      nativeName: name,
      kind: toolKind(name, mcp),
      input,
      useId: null,
      mcp,
      command: null,
      files: [],
    },
  };
}

const mcp = (tool: string, input: Record<string, unknown>) =>
  call(`mcp__fs__${tool}`, input, { server: 'fs', tool });

const RULES = `rules:
  - {id: keys, reads: ["~/.ssh/**", "**/.env"], deny: no}
  - {id: hooks, writes: .git/hooks/**, deny: no}
  - {id: gone, deletes: src/**, deny: no}
  - {id: force, command: git push --force, deny: no}
  - {id: metadata, host: 169.254.169.254, deny: no}`;
const stops = (event: ReturnType<typeof call>) => session(RULES)(event).map(({ by }) => by);

describe('tools that nobody has described', () => {
  test.each([
    [mcp('read_file', { path: '~/.ssh/id_rsa' }), 'keys'],
    [mcp('readFile', { path: '.env' }), 'keys'],
    [mcp('read_multiple_files', { paths: ['a.ts', '/home/dev/.ssh/id_rsa'] }), 'keys'],
    [mcp('get', { uri: 'file:///home/dev/.ssh/id_rsa' }), 'keys'],
    [mcp('write_file', { path: '.git/hooks/pre-commit', content: 'x' }), 'hooks'],
    [mcp('edit_file', { edits: [{ file_path: '.git/hooks/pre-push' }] }), 'hooks'],
    [mcp('delete_file', { path: 'src' }), 'gone'],
    [mcp('run_command', { command: 'cd x && git push -f' }), 'force'],
    [mcp('execute', { command: 'git', args: ['push', '--force'] }), 'force'],
    [mcp('fetch', { url: 'http://169.254.169.254/latest/' }), 'metadata'],
    [mcp('fetch', { url: 'http://0xA9FEA9FE/latest/' }), 'metadata'],
    [mcp('fetch', { url: 'http://2852039166/' }), 'metadata'],
    [call('Grep', { pattern: 'x', path: '~/.ssh' }), 'keys'],
    [call('Grep', { pattern: 'x', path: '/home/dev' }), 'keys'],
    [call('WebFetch', { url: 'http://169.254.169.254/', prompt: 'x' }), 'metadata'],
  ])('%j', ({ tool: { nativeName, input }, ...rest }, rule) => {
    const event = { ...rest, tool: call(nativeName, input, mcpOf(nativeName)).tool };
    expect(stops(event)).toContain(rule);
  });

  test.each([
    mcp('read_file', { path: 'src/a.ts' }),
    mcp('list_directory', { path: '~/.ssh' }),
    mcp('search_issues', { query: 'git push --force' }),
    mcp('create_issue', { body: 'see ~/.ssh/id_rsa', title: 'x' }),
    call('Grep', { pattern: 'x' }),
    call('Grep', { pattern: 'x', path: 'src' }),
    call('Glob', { pattern: '*', path: '~/.ssh' }),
  ])('silent about $tool.nativeName', (event) => {
    expect(stops(event)).toEqual([]);
  });

  test.each([
    ['command: npm test', mcp('run_command', { command: 'npm test' })],
    ['reads: src/**', mcp('read_file', { path: 'src/a.ts' })],
    ['host: example.com', mcp('fetch', { url: 'https://example.com/' })],
  ])('nothing is allowed by what was only guessed: %s', (condition, event) => {
    const [rule] = rulesIn(
      `rules: [{${JSON.stringify(condition.split(': ')[0])}: "${condition.split(': ')[1]}", allow: true}]`,
    );
    expect(rule?.test(factsOf(event))).toBe(false);
  });
});

function mcpOf(name: string): ToolCall['mcp'] {
  const [, server, tool] = /^mcp__(\w+?)__(\w+)$/.exec(name) ?? [];
  return server !== undefined && tool !== undefined ? { server, tool } : null;
}
