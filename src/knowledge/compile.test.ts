import { expect, test } from 'vitest';
import { compile, parsePrograms } from './compile.ts';

const compiled = (...files: string[]) =>
  compile(files.flatMap((yaml, at) => parsePrograms(`${at}.yaml`, yaml)));

const ATLAS = `
names: [atlas]
options: u,url= auto-approve
subcommands: { words: 2 }
system: database
effects:
  - { on: schema clean, does: destroy, to: value --url }
  - { on: schema *, with: --auto-approve, does: destroy }
examples:
  - atlas schema clean -u x: resource database schema clean destructive
  - atlas schema inspect: none
`;

test('a program becomes its lookup entry', () => {
  const { entries, programs } = compiled(ATLAS);
  expect(programs).toEqual({ atlas: 0 });
  expect(entries).toEqual([
    {
      options: 'u,url= auto-approve',
      sub: 2,
      system: 'database',
      effects: [
        { on: ['schema clean'], does: 'destroy', to: [{ value: '--url' }] },
        { on: ['schema *'], with: ['--auto-approve'], does: 'destroy' },
      ],
    },
  ]);
});

test('aliases stand for the first name', () => {
  expect(compiled(ATLAS.replace('[atlas]', '[atlas, globe]\naliases: [map]')).aliases).toEqual({
    map: 'atlas',
  });
  const twice = ATLAS.replace('[atlas]', '[globe]\naliases: [atlas]');
  expect(() => compiled(ATLAS, twice)).toThrow('1.yaml: atlas is already in 0.yaml');
});

test('a variant replaces fields, and only the subcommands that it names', () => {
  const { entries, programs } = compiled(`
names: [a, b]
options: x y=
subcommands: { words: 1, groups: [state] }
variants:
  b: { options: x, subcommands: { groups: [run] } }
examples: [a: none]
`);
  expect(programs).toEqual({ a: 0, b: 1 });
  expect(entries[1]).toEqual({ options: 'x', sub: 1, groups: ['run'] });
});

test.each([
  ['a key that it does not know', ATLAS.replace('system:', 'sytem:'), 'sytem: unknown key'],
  ['an option that is not declared', ATLAS.replace('value --url', 'value --uri'), '--uri is not among'],
  [
    'an option of a loss',
    `${ATLAS}\nlosses: [{ on: schema, with: --hard, loses: changes }]`,
    '--hard is not among',
  ],
  ['an option among its facts', `${ATLAS}\nfacts: { code: [--u] }`, '--u is not among'],
  ['an effect that is never reached', ATLAS.replace('schema clean, ', '"*", '), 'effect 2 is never reached'],
  ['an entry without an example', ATLAS.replace(/examples:.*/s, 'examples: []'), 'without an example'],
  ['a file without a quiet example', ATLAS.replace(': none', ': read'), 'stay quiet'],
  ['an effect that does nothing', ATLAS.replace('does: destroy, ', ''), 'either "does" or "run"'],
  ['a letter for which a preview has a name', `${ATLAS}\npreview: -u`, '-u is seen as --url'],
  ['an abbreviation in a preview', `${ATLAS}\npreview: --auto`, '--auto is seen as --auto-approve'],
  ['words that are described and unknown', `${ATLAS}\narguments: unknown`, 'and they are unknown'],
  ['a harmless option with dashes', `${ATLAS}\nharmless: --quiet`, 'written without dashes'],
  [
    'an option of reading that is not declared there',
    `${ATLAS}\nonly-reads: { operands: names, below: [--url] }`,
    '--url is not among the options with which it only reads',
  ],
  ['a subcommand with too many words', ATLAS.replace('words: 2', 'words: 1'), 'schema clean has more words'],
  ['a target that is none', ATLAS.replace('value --url', 'everything'), 'everything'],
  ['a variant of no program', `${ATLAS}\nvariants: { other: { options: x } }`, 'not among the names'],
])('%s is refused', (_, yaml, message) => {
  expect(() => compiled(yaml)).toThrow(message);
});

test('rejects a program in two files', () => {
  expect(() => compiled(ATLAS, ATLAS)).toThrow('1.yaml: atlas is already in 0.yaml');
});

test('a word for a server belongs to one program', () => {
  const served = (name: string) => `
names: [${name}]
doors: { mcp: { servers: [shop] } }
examples:
  - ${name}: none
`;
  expect(compiled(served('a')).servers).toEqual({ shop: 'a' });
  expect(() => compiled(served('a'), served('b'))).toThrow('1.yaml: a server shop means a');
});
