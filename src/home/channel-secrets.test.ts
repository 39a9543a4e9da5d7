import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../testing/scratch.ts';
import { isGuessable, ntfyTopics, ntfyWarnings, readSecret } from './channel-secrets.ts';
import { parseConfig } from './config.ts';
import { homePaths } from './paths.ts';

test('a secret is taken from the settings, the environment or a file of its own', () => {
  const paths = homePaths(scratchFolder());
  writeFileSync(join(paths.root, 'token'), 'tk_file\n', { mode: 0o600 });
  expect(readSecret('tk_here', paths)).toBe('tk_here');
  expect(readSecret({ env: 'NTFY' }, paths, { NTFY: 'tk_env' })).toBe('tk_env');
  expect(readSecret({ file: 'token' }, paths)).toBe('tk_file');
  expect(() => readSecret({ env: 'NTFY' }, paths, {})).toThrow('without the variable NTFY');
  expect(() => readSecret({ file: 'none' }, paths)).toThrow('is not there');
});

test.skipIf(process.platform === 'win32')('a file that others can read keeps no secret', () => {
  const paths = homePaths(scratchFolder());
  const file = join(paths.root, 'token');
  writeFileSync(file, 'tk');
  chmodSync(file, 0o640);
  expect(() => readSecret({ file: 'token' }, paths)).toThrow('can be read by others');
});

test('topics that are made are not guessable; names are', () => {
  const { topic, replyTopic } = ntfyTopics(homePaths(scratchFolder()), { topic: null, replyTopic: null });
  expect([topic, replyTopic].map(isGuessable)).toEqual([false, false]);
  expect(
    ['hookline', 'my-approvals', 'alerts-of-dora-and-ben', '1111111111111111aaaa'].map(isGuessable),
  ).toEqual(Array(4).fill(true));
});

const settings = (text: string) => {
  const { ntfy } = parseConfig(`notify: {ntfy: {${text}}}`, 'config.yaml').notify;
  if (!ntfy) throw new Error('no settings');
  return ntfy;
};

test('what makes it easier to answer for the user is warned about', () => {
  const paths = homePaths(scratchFolder());
  const warned = (text: string) => ntfyWarnings(settings(text), ntfyTopics(paths, settings(text))).length;
  expect(warned('')).toBe(0);
  expect(warned('topic: approvals')).toBe(2);
  expect(warned('token: tk_x')).toBe(1);
  expect(warned('token: {file: secrets/ntfy}')).toBe(0);
  expect(warned("server: 'http://ntfy.example'")).toBe(1);
});

test.each([
  ['topic: "a b"', 'notify.ntfy.topic: must be up to 64 letters'],
  ['topic: a, replyTopic: a', 'topic and replyTopic must not be the same'],
  ['detail: some', 'notify.ntfy.detail: must be none, title or full'],
  ["server: 'ftp://x'", 'must begin with https://'],
  ['token: {vault: x}', 'notify.ntfy.token'],
])('%s is refused', (text, message) => {
  expect(() => settings(text)).toThrow(message);
});
