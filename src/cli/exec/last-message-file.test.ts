import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { homePaths } from '../../home/paths.ts';
import { lastMessageFile, writeLastMessage } from './last-message-file.ts';

/** A file for the message, and one that an agent would like it to be in. */
function files() {
  const folder = scratchFolder();
  const paths = homePaths(join(folder, 'home'));
  mkdirSync(paths.root);
  writeFileSync(paths.config, 'packs: {}\n');
  mkdirSync(join(folder, 'out'));
  const path = lastMessageFile(join(folder, 'out', 'last.txt'), paths);
  return { folder, path, paths };
}

test('the message is written, also over an older one', () => {
  const { path } = files();
  writeLastMessage(path, 'a longer message');
  writeLastMessage(path, 'done');
  expect(readFileSync(path, 'utf8')).toBe('done\n');
  writeLastMessage(path, null);
  expect(readFileSync(path, 'utf8')).toBe('');
});

test('a link to settings is refused when the run begins', () => {
  const { folder, paths } = files();
  symlinkSync(paths.config, join(folder, 'link'));
  expect(() => lastMessageFile(join(folder, 'link'), paths)).toThrow('controls what agents may do');
});

test('a link that the agent makes while it runs is not followed', () => {
  const { folder, path, paths } = files();
  symlinkSync(paths.config, path);
  expect(() => writeLastMessage(path, 'disabledRules: [all]')).toThrow('now points to another file');
  rmSync(path);
  renameSync(join(folder, 'out'), join(folder, 'before'));
  symlinkSync(paths.root, join(folder, 'out'));
  expect(() => writeLastMessage(path, 'disabledRules: [all]')).toThrow('now points to another file');
  expect(readFileSync(paths.config, 'utf8')).toBe('packs: {}\n');
});

test.skipIf(process.platform === 'win32')('a pipe in its place is not waited for', () => {
  const { path } = files();
  execFileSync('mkfifo', [path]);
  expect(() => writeLastMessage(path, 'done')).toThrow("Can't write the last message");
});
