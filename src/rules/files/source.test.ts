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

test('only rule files count, in the order of their names', () => {
  const folder = scratch();
  writeFileSync(join(folder, 'b.yml'), deny('b'));
  writeFileSync(join(folder, 'a.yaml'), deny('a'));
  writeFileSync(join(folder, 'c.yaml.bak'), deny('c'));
  expect(ids(openRules(folder))).toEqual(['a', 'b']);
});

test('a missing directory has no rules until it exists', () => {
  const folder = join(scratch(), 'rules');
  const source = openRules(folder);
  expect(ids(source)).toEqual([]);
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.yaml'), deny('a'));
  expect(ids(source)).toEqual(['a']);
});

test('a saved file applies to the very next call', () => {
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

test('detects a replaced file with the same times and size', () => {
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

test('a broken file keeps its old rules and reports it; once fixed, it counts again', () => {
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

test('a file that was broken from the start contributes its valid rules', () => {
  const folder = scratch();
  writeFileSync(join(folder, 'a.yaml'), 'rules:\n  - {id: good, deny: no}\n  - {id: bad, dney: no}\n');
  writeFileSync(join(folder, 'b.yaml'), deny('b'));
  const source = openRules(folder);
  expect(ids(source)).toEqual(['good', 'b']);
  expect(source.problems()).toHaveLength(1);
});

test('an unreadable entry is a separate problem and disables no other rule', () => {
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

test('a directory that can no longer be listed keeps its rules', () => {
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
