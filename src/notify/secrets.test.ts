import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { parseConfig } from '../home/config.ts';
import { homePaths } from '../home/paths.ts';
import { isGuessable, ntfyTopics, ntfyWarnings, readSecret } from './secrets.ts';

test('reads a secret from the settings, the environment or a file', () => {
  const paths = homePaths(scratchFolder());
  writeFileSync(join(paths.root, 'token'), 'tk_file\n', { mode: 0o600 });
  expect(readSecret('tk_here', paths)).toBe('tk_here');
  expect(readSecret({ env: 'NTFY' }, paths, { NTFY: 'tk_env' })).toBe('tk_env');
  expect(readSecret({ file: 'token' }, paths)).toBe('tk_file');
  expect(() => readSecret({ env: 'NTFY' }, paths, {})).toThrow('without the variable NTFY');
  expect(() => readSecret({ file: 'none' }, paths)).toThrow('is not there');
});

test.skipIf(process.platform === 'win32')('rejects a secret in a file that others can read', () => {
  const paths = homePaths(scratchFolder());
  const file = join(paths.root, 'token');
  writeFileSync(file, 'tk');
  chmodSync(file, 0o640);
  expect(() => readSecret({ file: 'token' }, paths)).toThrow('can be read by others');
});

test('creates topics once per home', () => {
  const [one, other] = [homePaths(scratchFolder()), homePaths(scratchFolder())];
  const none = { topic: null, replyTopic: null };
  const made = ntfyTopics(one, none);
  expect(ntfyTopics(one, none)).toEqual(made);
  const all = [...Object.values(made), ...Object.values(ntfyTopics(other, none))];
  expect(new Set(all).size).toBe(4);
  for (const topic of all) expect(topic).toMatch(/^hookline-[\w-]{24}$/);
});

test("names are guessable; random values aren't", () => {
  expect(
    ['hookline', 'my-approvals', 'alerts-of-dora-and-ben', '1111111111111111aaaa'].map(isGuessable),
  ).toEqual(Array(4).fill(true));
  expect(isGuessable('x7Qp2mZ0vK4rT9wB')).toBe(false);
});

const settings = (text: string) => {
  const { ntfy } = parseConfig(`notify: {ntfy: {${text}}}`, 'config.yaml').notify;
  if (!ntfy) throw new Error('no settings');
  return ntfy;
};

test.each([
  ['', []],
  ['topic: approvals', ['ntfy-guessable', 'ntfy-in-config']],
  ["topic: approvals, server: 'http://127.0.0.1:8080'", ['ntfy-in-config']],
  ['topic: approvals, token: {file: secrets/ntfy}', ['ntfy-in-config']],
  ['token: tk_x', ['ntfy-in-config']],
  ['token: {file: secrets/ntfy}', []],
  ["server: 'http://ntfy.example'", ['ntfy-unencrypted']],
  ["server: 'http://localhost.example'", ['ntfy-unencrypted']],
])('warns about settings that make it easier to answer for the user: {%s}', (text, codes) => {
  expect(ntfyWarnings(settings(text)).map(({ code }) => code)).toEqual(codes);
});

test.each([
  ['topic: "a b"', 'notify.ntfy.topic: must be up to 64 letters'],
  ['topic: a, replyTopic: a', 'topic and replyTopic must not be the same'],
  ['detail: some', 'notify.ntfy.detail: must be none, title or full'],
  ["server: 'ftp://x'", 'must begin with https://'],
  ['token: {vault: x}', 'notify.ntfy.token'],
])('rejects %s', (text, message) => {
  expect(() => settings(text)).toThrow(message);
});
