import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import {
  fileStamp,
  readIfExists,
  settledStamp,
  writeFileAtomically,
  writePrivateFile,
  writeUserFile,
} from './files.ts';

let folder = '';
beforeEach(() => {
  folder = scratchFolder();
});

const modeOf = (path: string) => statSync(path).mode & 0o777;

test('replaces a file atomically and leaves no draft', () => {
  const file = join(folder, 'file');
  writeFileAtomically(file, 'one');
  writeFileAtomically(file, Buffer.from([0, 1, 2]));
  expect([...readFileSync(file)]).toEqual([0, 1, 2]);
  expect(readdirSync(folder)).toEqual(['file']);
});

test("if it can't be put in place, keeps the old content and leaves no draft", () => {
  const file = join(folder, 'file');
  mkdirSync(join(file, 'inside'), { recursive: true });
  expect(() => writeFileAtomically(file, 'new')).toThrow();
  expect(readdirSync(folder)).toEqual(['file']);
  expect(readdirSync(file)).toEqual(['inside']);
});

test.skipIf(process.platform === 'win32')('sets the requested mode, whatever was there before', () => {
  const file = join(folder, 'file');
  writeFileSync(file, 'old', { mode: 0o644 });
  writeFileAtomically(file, 'new', { mode: 0o777, durable: true });
  expect(modeOf(file)).toBe(0o777);
});

test.skipIf(process.platform === 'win32')(
  'a private file and its directory are accessible only to their owner',
  () => {
    const file = join(folder, 'run', 'token');
    writePrivateFile(file, 'secret\n');
    expect(readFileSync(file, 'utf8')).toBe('secret\n');
    expect([modeOf(file), modeOf(join(folder, 'run'))]).toEqual([0o600, 0o700]);
    chmodSync(file, 0o644);
    writePrivateFile(file, 'another\n', { durable: true });
    expect(modeOf(file)).toBe(0o600);
  },
);

test.skipIf(process.platform === 'win32')(
  "a user's file keeps its mode, and a link to it stays a link",
  () => {
    const [link, target] = [join(folder, 'settings.json'), join(folder, 'dotfiles.json')];
    symlinkSync('dotfiles.json', link);
    writeUserFile(link, 'first', 0o640);
    expect(modeOf(target)).toBe(0o640);
    writeUserFile(link, 'second', 0o600);
    expect(modeOf(target)).toBe(0o640);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toBe('second');
  },
);

test.skipIf(process.platform === 'win32')("doesn't write a link that points to itself", () => {
  symlinkSync('loop', join(folder, 'loop'));
  expect(() => writeUserFile(join(folder, 'loop'), 'text')).toThrow(/leads to itself/);
});

test('a missing file has no text', () => {
  expect(readIfExists(join(folder, 'none'))).toBeNull();
  expect(() => readIfExists(folder)).toThrow();
});

test('a stamp changes with the content', () => {
  const file = join(folder, 'file');
  expect(fileStamp(file)).toBe('');
  writeFileSync(file, 'one');
  const first = fileStamp(file);
  writeFileAtomically(file, 'two');
  expect(fileStamp(file)).not.toBe(first);
});

test('no stamp is settled while a second write would go unnoticed', () => {
  const file = join(folder, 'file');
  expect(settledStamp(file)).toBe('');
  writeFileSync(file, 'one');
  vi.useFakeTimers({ toFake: ['Date'], now: statSync(file).ctimeMs });
  try {
    expect(settledStamp(file)).toBeNull();
    vi.advanceTimersByTime(60);
    expect(settledStamp(file)).toBe(fileStamp(file));
  } finally {
    vi.useRealTimers();
  }
});
