import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { applyEdits, applyRemoval, removal } from './journal.ts';
import type { FileEdit } from './setup.ts';

let folder: string;
let journal: string;
let path: string;

beforeEach(() => {
  folder = scratchFolder();
  journal = join(folder, 'home', 'setup');
  path = join(folder, 'settings.json');
});

const text = () => readFileSync(path, 'utf8');

function remove(edit: FileEdit): void {
  applyRemoval(removal([edit], journal), journal);
}

test('an untouched file gets its original bytes back, however often setup ran', () => {
  const original = '\uFEFF{ "a" :1e2}\r\n\r\n';
  writeFileSync(path, original);
  applyEdits([{ path, before: original, after: 'one' }], journal);
  applyEdits([{ path, before: 'one', after: 'two', original: 'not this' }], journal);
  expect(text()).toBe('two');
  remove({ path, before: 'two', after: 'surgical' });
  expect(text()).toBe(original);
  expect(readdirSync(journal)).toEqual([]);
});

test("deletes a file that didn't exist, with only the directories created for it", () => {
  mkdirSync(join(folder, 'there'));
  path = join(folder, 'there', 'new', 'newer', 'settings.json');
  applyEdits([{ path, before: null, after: 'one' }], journal);
  applyEdits([{ path, before: 'one', after: 'two' }], journal);
  expect(text()).toBe('two');
  remove({ path, before: 'two', after: '{}' });
  expect(readdirSync(join(folder, 'there'))).toEqual([]);
});

test('keeps a directory that contains something else by now', () => {
  path = join(folder, 'new', 'settings.json');
  applyEdits([{ path, before: null, after: 'one' }], journal);
  writeFileSync(join(folder, 'new', 'other'), '');
  remove({ path, before: 'one', after: '{}' });
  expect(readdirSync(join(folder, 'new'))).toEqual(['other']);
});

test("keeps the user's later changes by editing only our entries", () => {
  writeFileSync(path, 'original');
  applyEdits([{ path, before: 'original', after: 'original+ours' }], journal);
  writeFileSync(path, 'changed+ours');
  remove({ path, before: 'changed+ours', after: 'changed' });
  expect(text()).toBe('changed');
});

test("after a user's change, a second setup treats the file without our entries as the original", () => {
  writeFileSync(path, 'original');
  applyEdits([{ path, before: 'original', after: 'original+ours' }], journal);
  writeFileSync(path, 'changed+ours');
  applyEdits([{ path, before: 'changed+ours', after: 'changed+newer', original: 'changed' }], journal);
  remove({ path, before: 'changed+newer', after: 'surgical' });
  expect(text()).toBe('changed');
});

test('with a lost or damaged journal, edits only our entries', () => {
  writeFileSync(path, 'original');
  applyEdits([{ path, before: 'original', after: 'ours' }], journal);
  const [note = ''] = readdirSync(journal);
  for (const damage of [
    '{',
    readFileSync(join(journal, note), 'utf8').replace(/"text": ".*?"/, '"text": "x"'),
  ]) {
    writeFileSync(join(journal, note), damage);
    expect(removal([{ path, before: 'ours', after: 'surgical' }], journal)[0]?.after).toBe('surgical');
  }
});

test('the journal repeats nothing unnecessary, and only its owner can read it', () => {
  const original = '{"env":{"TOKEN":"sk-secret"},"hooks":{}}';
  writeFileSync(path, original);
  applyEdits([{ path, before: original, after: original.replace('{}', '{"ours":1}') }], journal);
  const [note = ''] = readdirSync(journal);
  expect(readFileSync(join(journal, note), 'utf8')).not.toContain('sk-secret');
  expect(statSync(join(journal, note)).mode & 0o777).toBe(0o600);
  expect(statSync(journal).mode & 0o777).toBe(0o700);
});

test('keeps the mode of a file, whatever the umask', () => {
  writeFileSync(path, 'original');
  chmodSync(path, 0o666);
  applyEdits([{ path, before: 'original', after: 'ours' }], journal);
  expect(statSync(path).mode & 0o777).toBe(0o666);
  chmodSync(path, 0o600);
  remove({ path, before: 'ours', after: '' });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a link stays a link: its target is edited, created and deleted', () => {
  const real = join(folder, 'dotfiles', 'claude.json');
  symlinkSync('dotfiles/claude.json', join(folder, 'hop.json'));
  symlinkSync('hop.json', path);
  applyEdits([{ path, before: null, after: 'ours' }], journal);
  expect(readFileSync(real, 'utf8')).toBe('ours');
  remove({ path, before: 'ours', after: '{}' });
  expect(existsSync(join(folder, 'dotfiles'))).toBe(false);
  expect(lstatSync(path).isSymbolicLink()).toBe(true);
});

test("leaves a file that changed after the plan alone, and the plan's other files too", () => {
  writeFileSync(path, 'theirs');
  const other = join(folder, 'other.json');
  const edits = [
    { path: other, before: null, after: 'ours' },
    { path, before: 'original', after: 'ours' },
  ];
  expect(() => applyEdits(edits, journal)).toThrow(expect.objectContaining({ code: 'SETTINGS_CHANGED' }));
  expect(() => applyRemoval(edits, journal)).toThrow(expect.objectContaining({ code: 'SETTINGS_CHANGED' }));
  expect([text(), existsSync(other)]).toEqual(['theirs', false]);
});

test('an unwritable path gives a clear error and leaves no extra files', () => {
  writeFileSync(join(folder, 'file'), '');
  path = join(folder, 'file', 'settings.json');
  expect(() => applyEdits([{ path, before: null, after: 'x' }], journal)).toThrow(
    expect.objectContaining({ code: 'SETTINGS_UNWRITABLE' }),
  );
  expect(readdirSync(folder)).toEqual(['file']);
});

test('restores any original, byte for byte', () => {
  const any = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(any, any, any, (original, first, second) => {
      writeFileSync(path, original);
      applyEdits([{ path, before: text(), after: first }], journal);
      const bytes = Buffer.from(original);
      applyEdits([{ path, before: first, after: second }], journal);
      remove({ path, before: second, after: 'surgical' });
      expect(readFileSync(path).equals(bytes)).toBe(true);
    }),
    { numRuns: 60 },
  );
});
