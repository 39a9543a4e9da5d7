import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { openRules } from './source.ts';

function scratch(): string {
  const folder = scratchFolder();
  return folder;
}

const ids = (source: ReturnType<typeof openRules>) => source.rules().map(({ id }) => id);
const deny = (id: string) => `rules: [{id: ${id}, deny: no}]\n`;

test('files count in the order of their names, and only rule files count', () => {
  const folder = scratch();
  writeFileSync(join(folder, 'b.yml'), deny('b'));
  writeFileSync(join(folder, 'a.yaml'), deny('a'));
  writeFileSync(join(folder, 'c.yaml.bak'), deny('c'));
  expect(ids(openRules(folder))).toEqual(['a', 'b']);
});

test('a folder that does not exist has no rules, until it does', () => {
  const folder = join(scratch(), 'rules');
  const source = openRules(folder);
  expect(ids(source)).toEqual([]);
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.yaml'), deny('a'));
  expect(ids(source)).toEqual(['a']);
});

test('what was saved holds for the very next call', () => {
  const folder = scratch();
  const file = join(folder, 'a.yaml');
  const source = openRules(folder);
  for (let round = 100; round < 400; round += 1) {
    writeFileSync(file, deny(`r${round}`));
    expect(ids(source)).toEqual([`r${round}`]);
  }
  writeFileSync(join(folder, 'b.yaml'), deny('b'));
  expect(ids(source)).toEqual(['r399', 'b']);
  renameSync(file, join(folder, 'c.yaml'));
  expect(ids(source)).toEqual(['b', 'r399']);
  rmSync(join(folder, 'b.yaml'));
  expect(ids(source)).toEqual(['r399']);
});

test('a file with the times and the size of the one before it is still another file', () => {
  const folder = scratch();
  const file = join(folder, 'a.yaml');
  const long = new Date('2020-01-01');
  const source = openRules(folder);
  for (const id of ['one', 'two']) {
    writeFileSync(file, deny(id));
    utimesSync(file, long, long);
    expect(ids(source)).toEqual([id]);
  }
});

test('a file that breaks keeps its old rules and says so; fixed, it counts again', () => {
  const folder = scratch();
  const file = join(folder, 'a.yaml');
  const source = openRules(folder);
  writeFileSync(file, deny('guard'));
  expect(ids(source)).toEqual(['guard']);
  writeFileSync(file, 'rules:\n  - dney: oops\n');
  expect(ids(source)).toEqual(['guard']);
  expect(source.problems()).toMatchObject([{ where: `${file}:2:5` }]);
  writeFileSync(file, 'rules: [');
  expect(ids(source)).toEqual(['guard']);
  writeFileSync(file, deny('fixed'));
  expect(ids(source)).toEqual(['fixed']);
  expect(source.problems()).toEqual([]);
});

test('a file that is broken from the start leaves what can be used', () => {
  const folder = scratch();
  writeFileSync(join(folder, 'a.yaml'), 'rules:\n  - {id: good, deny: no}\n  - {id: bad, dney: no}\n');
  writeFileSync(join(folder, 'b.yaml'), deny('b'));
  const source = openRules(folder);
  expect(ids(source)).toEqual(['good', 'b']);
  expect(source.problems()).toHaveLength(1);
});

test('something that cannot be read is a problem of its own, and lifts no other guard', () => {
  const folder = scratch();
  mkdirSync(join(folder, 'folder.yaml'));
  symlinkSync('/nowhere/at/all', join(folder, 'link.yaml'));
  writeFileSync(
    join(folder, 'bomb.yaml'),
    `a: &a [x]\nb: &b [${'*a,'.repeat(200)}]\nrules: [{deny: x, tool: *b}]\n`,
  );
  writeFileSync(join(folder, 'deep.yaml'), `rules: ${'['.repeat(20_000)}`);
  writeFileSync(join(folder, 'good.yaml'), deny('good'));
  const source = openRules(folder);
  expect(ids(source)).toContain('good');
  const files = new Set(source.problems().map(({ where }) => where.split('/').at(-1)?.split(':')[0]));
  expect(files).toEqual(new Set(['bomb.yaml', 'deep.yaml', 'folder.yaml', 'link.yaml']));
});

test('a folder that cannot be listed any more keeps its rules', () => {
  const folder = join(scratch(), 'rules');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.yaml'), deny('a'));
  const source = openRules(folder);
  expect(ids(source)).toEqual(['a']);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, 'a file now');
  chmodSync(folder, 0o600);
  expect(ids(source)).toEqual(['a']);
  expect(source.problems()).toMatchObject([{ where: folder }]);
});
