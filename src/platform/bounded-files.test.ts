import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdirSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { appendRegularFile, readRegularText, replaceRegularFile } from './bounded-files.ts';
import { readIfExists } from './files.ts';

function pipe(): string {
  const path = join(scratchFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  return path;
}

/** Opened for reading, so that a writer can open it. */
function read(path: string): void {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(file));
}

test('appends text to a regular file, to a new one, and through a link', () => {
  const folder = scratchFolder();
  const path = join(folder, 'env');
  appendRegularFile(path, 'A=1\n');
  symlinkSync(path, join(folder, 'link'));
  appendRegularFile(join(folder, 'link'), 'B=2\n');
  expect(readFileSync(path, 'utf8')).toBe('A=1\nB=2\n');
});

test.each([appendRegularFile, replaceRegularFile])(
  "%o doesn't write to a named pipe, with or without a reader",
  (write) => {
    const path = pipe();
    expect(() => write(path, 'A=1\n')).toThrow(/ENXIO|not a regular file/);
    read(path);
    expect(() => write(path, 'A=1\n')).toThrow('not a regular file');
    expect(() => write('/dev/null', 'A=1\n')).toThrow('not a regular file');
  },
);

test("doesn't read a named pipe, a device or a directory", () => {
  const folder = join(scratchFolder(), 'folder');
  mkdirSync(folder);
  for (const path of [pipe(), '/dev/zero', folder]) {
    expect(() => readRegularText(path)).toThrow('not a regular file');
    expect(() => readIfExists(path)).toThrow('not a regular file');
  }
});

test('limits a text, and reads a file of unknown size to its end', () => {
  const path = join(scratchFolder(), 'text');
  writeFileSync(path, 'äb');
  expect(readRegularText(path, 3)).toBe('äb');
  expect(() => readRegularText(path, 2)).toThrow('more than 2 bytes');
  expect(readRegularText('/proc/self/status')).toContain('Name:');
});
