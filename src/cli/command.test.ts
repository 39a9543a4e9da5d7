import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { defineCommand } from './command.ts';
import { columns } from './output/columns.ts';

const said: string[] = [];
beforeEach(() => {
  said.length = 0;
  vi.spyOn(console, 'log').mockImplementation((text) => void said.push(String(text)));
});
afterEach(() => vi.restoreAllMocks());

const given: unknown[] = [];
const command = defineCommand({
  name: 'brew',
  summary: 'Make tea.',
  words: '<leaf>',
  options: {
    hot: { type: 'boolean', short: 'H', description: 'With boiling water.' },
    cups: { type: 'string', value: 'N', description: 'How many.' },
  },
  examples: [['hookline brew oolong', 'a cup']],
  run: async (options, words) => {
    given.push({ ...options }, [...words]);
    return words.length === 0 ? 3 : undefined;
  },
});

test('a command with commands of its own lists them, and options below those that they go with', async () => {
  const { run } = defineCommand({
    name: 'pantry',
    summary: 'What there is.',
    words: '[add|list] [leaf]',
    commands: [
      ['add LEAF', 'put it there'],
      ['list', 'what is there'],
    ],
    options: {
      json: { type: 'boolean', description: 'As JSON.' },
      grams: { of: 'add', type: 'string', value: 'N', description: 'How much.' },
    },
    examples: [['hookline pantry', 'all of it']],
    run: async () => 0,
  });
  await run(['--help']);
  expect(said[0]).toContain('hookline pantry [subcommand] [options]');
  expect(said[0]).toMatch(/Subcommands\n {2}add LEAF {2}put it there\n {2}list {6}what is there\n/);
  expect(said[0]).toMatch(/Options of add\n {6}--grams N {2}How much\.\n\nOptions\n {6}--json {5}As JSON\./);
});

test('options and words reach the command; its code is the exit code', async () => {
  expect(await command.run(['-H', '--cups', '2', 'oolong'])).toBe(0);
  expect(given.splice(0)).toEqual([{ hot: true, cups: '2' }, ['oolong']]);
  expect(await command.run([])).toBe(3);
  expect(given.splice(0)).toEqual([{}, []]);
});

test.each([
  [['--hott'], '--hott'],
  [['--cups'], '--cups'],
  [['--hot=yes'], '--hot'],
  [['oolong', 'mint'], 'Unexpected argument "mint"'],
])('%j is refused and not run', async (args, part) => {
  await expect(command.run(args)).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining(part),
    hint: expect.stringContaining('hookline brew --help'),
  });
  expect(given).toEqual([]);
});

test('a slip in an option gets a suggestion', async () => {
  await expect(command.run(['--hto'])).rejects.toThrow('Unknown option "--hto". Did you mean --hot?');
  await expect(command.run(['--something'])).rejects.toThrow(/^Unknown option "--something"\.$/);
  await expect(command.run(['--cups'])).rejects.toThrow(/^Option "--cups <value>" argument missing\.$/);
});

test('the help of a first word has what concerns it', async () => {
  const { run } = defineCommand({
    name: 'tea',
    summary: 'Make tea.',
    words: '[brew|pour|wash] [cup]',
    options: {
      hot: { of: 'brew', also: 'wash', type: 'boolean', description: 'Boiling; to wash: warm.' },
      slow: { of: 'pour and brew', type: 'boolean', description: 'Take your time.' },
      soap: { of: 'wash', type: 'boolean', description: 'Use some.' },
      json: { type: 'boolean', description: 'As JSON.' },
    },
    examples: [
      ['hookline tea brew', 'a cup'],
      ['hookline tea wash', 'and clean it'],
    ],
    run: async () => 0,
  });
  await run(['pour', '--help']);
  expect(said[0]).toContain('hookline tea pour [cup] [options]');
  expect(said[0]?.match(/--\w+/g)).toEqual(['--slow', '--json', '--help']);
  await run(['wash', '--help']);
  expect(said[1]?.match(/--\w+/g)).toEqual(['--hot', '--soap', '--json', '--help']);
  expect(said[1]).not.toContain('hookline tea brew');
  await run(['--help']);
  expect(said[2]?.match(/--\w+/g)).toHaveLength(5);
});

test('a text that is not quoted, or begins with a dash, is told how to be given', async () => {
  const { run } = defineCommand({
    name: 'note',
    summary: 'Write it down.',
    words: '<text>',
    text: 'note',
    options: {},
    examples: [],
    run: async () => 0,
  });
  await expect(run(['buy', 'tea'])).rejects.toThrow('Unexpected argument "tea": put the note in quotes.');
  await expect(run(['- buy tea'])).rejects.toThrow('The note starts with a dash');
  await expect(run(['--tea'])).rejects.toThrow('Unknown option "--tea".');
  await expect(run(['buy', '--tea'])).rejects.toThrow(
    'Unknown option "--tea". If it belongs to the note, put the note in quotes.',
  );
  expect(await run(['buy tea'])).toBe(0);
});

test('--help shows every option and runs nothing', async () => {
  expect(await command.run(['--help', '--hot'])).toBe(0);
  expect(given).toEqual([]);
  for (const part of ['Make tea.', 'hookline brew <leaf>', '-H, --hot', '--cups N', 'hookline brew oolong']) {
    expect(said.join('\n')).toContain(part);
  }
});

test('columns are aligned', () => {
  expect(columns([['a', 'x'], ['long', 'y'], ['b']]).map((line) => line.trimEnd())).toEqual([
    '  a     x',
    '  long  y',
    '  b',
  ]);
});

test('only a command that says so can be given by a script', async () => {
  const spec = { name: 'pour', summary: 'Pour tea.', options: {}, examples: [], run: async () => 0 } as const;
  await expect(defineCommand({ ...spec, access: () => null }).run(['--as-script'])).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining('--as-script'),
  });
  expect(await defineCommand({ ...spec, asScript: true }).run(['--help'])).toBe(0);
  expect(said.join('\n')).toContain('--as-script');
  const { default: unlock } = await import('./approvals/unlock.ts');
  said.length = 0;
  expect(await unlock.run(['--help'])).toBe(0);
  expect(said.join('\n')).not.toContain('--as-script');
});

test('the help of a first word leaves out the parts of the whole command', async () => {
  const { run } = defineCommand({
    name: 'rules',
    summary: 'What applies.',
    words: '[add|list] [leaf]',
    options: {},
    examples: [['hookline rules', 'all of it']],
    run: async () => 0,
  });
  await run(['--help']);
  await run(['add', '--help']);
  expect(said[0]).toContain('hookline backtest');
  expect(said[1]).not.toContain('hookline backtest');
});
