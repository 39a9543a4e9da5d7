import { describe, expect, test } from 'vitest';
import { AGENTS } from '../../src/agents/_registry.ts';
import type { HookEvent } from '../../src/model/events.ts';
import { HOME, judgedEvent } from './judged.ts';

// The same files by the tools of each agent, and by those of MCP servers, instead of by a shell.

type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>];

const PROJECT = '/home/dev/project';
const CONFIG = `${HOME}/config.yaml`;

const MCP: readonly Call[] = [
  ['mcp__fs__write_file', { path: CONFIG, content: '' }],
  ['mcp__fs__edit_file', { path: `${HOME}/rules/a.yaml`, edits: [] }],
  ['mcp__fs__move_file', { source: CONFIG, destination: '/tmp/x' }],
  ['mcp__fs__create_directory', { path: `${HOME}/rules/x` }],
  ['mcp__fs__delete_file', { path: CONFIG }],
  ['mcp__fs__read_file', { path: `${HOME}/run/token` }],
  ['mcp__fs__read_multiple_files', { paths: ['a.txt', `${HOME}/run/token`] }],
  ['mcp__sh__run_command', { command: 'gpg -o ~/.hookline/config.yaml x' }],
  ['mcp__fs__write_file', { path: '/home/dev/.claude/settings.json', content: '{}' }],
];

const ATTACKS: Readonly<Record<string, readonly Call[]>> = {
  claude: [
    ...MCP,
    ['Write', { file_path: CONFIG, content: '' }],
    ['Edit', { file_path: `${HOME}/rules/a.yaml`, old_string: 'deny', new_string: 'allow' }],
    ['NotebookEdit', { notebook_path: CONFIG, new_source: '' }],
    ['Write', { file_path: '../.hookline/config.yaml', content: '' }],
    ['Read', { file_path: `${HOME}/run/token` }],
    ['Grep', { pattern: '.', path: `${HOME}/run`, output_mode: 'content' }],
    ['Bash', { command: 'gpg -o ~/.hookline/config.yaml x' }],
  ],
  gemini: [
    ['write_file', { file_path: CONFIG, content: '' }],
    ['replace', { file_path: CONFIG, old_string: 'on', new_string: 'off' }],
    ['read_file', { file_path: `${HOME}/run/token` }],
    ['read_many_files', { paths: [`${HOME}/run/token`] }],
    ['read_many_files', { include: [`${HOME}/run/*`] }],
    ['grep_search', { pattern: '.', dir_path: `${HOME}/run` }],
    ['search_file_content', { pattern: '.', path: `${HOME}/run` }],
    ['run_shell_command', { command: 'gpg -o config.yaml x', dir_path: HOME }],
  ],
  codex: [
    ...MCP,
    ['apply_patch', { command: `*** Begin Patch\n*** Update File: ${CONFIG}\n@@\n-on\n+off\n*** End Patch` }],
    ['apply_patch', { command: `*** Begin Patch\n*** Delete File: ${CONFIG}\n*** End Patch` }],
    [
      'apply_patch',
      {
        command: `*** Begin Patch\n*** Update File: a.txt\n*** Move to: ${CONFIG}\n@@\n-on\n+off\n*** End Patch`,
      },
    ],
    ['Bash', { command: 'gpg -o config.yaml x', workdir: HOME }],
  ],
};

const EVERYDAY: Readonly<Record<string, readonly Call[]>> = {
  claude: [
    ['Read', { file_path: CONFIG }],
    ['Grep', { pattern: 'deny', path: `${HOME}/rules` }],
    ['Glob', { pattern: '**/*.yaml', path: `${HOME}/rules` }],
    ['mcp__fs__read_file', { path: CONFIG }],
    ['mcp__fs__list_directory', { path: HOME }],
  ],
  gemini: [
    ['read_file', { file_path: CONFIG }],
    ['list_directory', { dir_path: HOME }],
  ],
  codex: [['mcp__fs__read_file', { path: CONFIG }]],
};

function eventOf(id: string, [tool, input]: Call): HookEvent {
  const agent = AGENTS.get(id);
  const payload = agent?.toolPayload({ id: 'x', tool, input, cwd: PROJECT });
  const decoded = agent?.decode({ id: 'x', receivedAt: 0, event: null, payload, env: {} });
  if (!decoded) throw new Error(`${id} reads no such call`);
  return decoded;
}

/** For `test.each`. */
const rows = (calls: Readonly<Record<string, readonly Call[]>>) =>
  Object.entries(calls).flatMap(([id, all]) => all.map((call) => [id, ...call] as const));

describe('with the default rules', () => {
  const decide = judgedEvent();
  test.each(rows(ATTACKS))('%s may not: %s %j', (id, tool, input) => {
    expect(decide(eventOf(id, [tool, input]))).toMatch(/deny|ask/);
  });
  test.each(rows(EVERYDAY))('%s may: %s %j', (id, tool, input) => {
    expect(decide(eventOf(id, [tool, input]))).toBe('none');
  });
});

test('without self-protection they succeed, so it is what denies them', () => {
  const decide = judgedEvent({ 'self-protection': 'off' });
  const stopped = rows(ATTACKS).filter(([id, tool, input]) => decide(eventOf(id, [tool, input])) !== 'none');
  expect(stopped).toEqual([]);
});
