import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { HooklineError } from '../model/errors.ts';
import { readIfExists } from '../platform/files.ts';
import { readConfig, writeSetting } from './config.ts';

function configFile(text: string): string {
  const folder = scratchFolder();
  const path = join(folder, 'config.yaml');
  writeFileSync(path, text);
  return path;
}

function failureOf(path: string): HooklineError {
  try {
    readConfig(path);
  } catch (error) {
    if (error instanceof HooklineError) return error;
  }
  throw new Error('no failure');
}

const DEFAULTS = { failure: 'open', durability: 'process', http: { port: 8765, hooksWithoutToken: false } };

test('a missing or empty file is all defaults', () => {
  expect(readConfig('/nowhere/config.yaml')).toMatchObject(DEFAULTS);
  expect(readConfig(configFile(''))).toMatchObject(DEFAULTS);
  expect(readConfig(configFile('# later\n'))).toMatchObject(DEFAULTS);
});

test('what is set is set, the rest stays', () => {
  expect(readConfig(configFile('failure: closed\nhttp: {port: 0}\n'))).toMatchObject({
    failure: 'closed',
    http: { port: 0, hooksWithoutToken: false },
  });
});

test.each([
  ['failure: [', '1:11: Flow sequence'],
  ['failure: opne', '1:10: failure: must be open or closed, not "opne"; did you mean open?'],
  ['failur: closed', '1:1: failur: unknown setting; did you mean failure?'],
  ['http: {port: 99999}', '1:14: http.port: must be at most 65535, not 99999'],
  ['http: {port: "1"}', '1:14: http.port: must be a number, not text'],
  ['http: {prot: 1}', '1:8: http.prot: unknown setting; did you mean port?'],
  ['http: {x: 1}', '1:8: http.x: unknown setting; the settings here are port, hooksWithoutToken'],
  ['memory: yess', '1:9: memory: must be settings of its own, with `key: value` below it, not text'],
  ['packs: {git: maybe}', '1:14: packs.git: must be on, off or observe'],
  ['notify: {ntfy: {topc: x}}', 'notify.ntfy.topc: unknown setting; did you mean topic?'],
  ['- 1', 'must be settings'],
])('%j is refused with the file and the place', (text, part) => {
  const path = configFile(text);
  const { code, message, hint } = failureOf(path);
  expect(code).toBe('CONFIG_INVALID');
  expect(message).toContain(`${path}`);
  expect(message).toContain(part);
  expect(hint).toBeTruthy();
});

test('everything that is wrong is told at once, in the order of the file', () => {
  const path = configFile('failure: opne\napprovals:\n  waitSeconds: 0\n  timout: 3\n');
  expect(failureOf(path).message.split('\n')).toEqual([
    `${path} has 3 problems:`,
    '  1:10  failure: must be open or closed, not "opne"; did you mean open?',
    '  3:16  approvals.waitSeconds: must be at least 1, not 0',
    '  4:3  approvals.timout: unknown setting; the settings here are hold, waitSeconds, onExpiry',
  ]);
});

test('only a file that is not there is null', () => {
  const path = configFile('text');
  expect(readIfExists(path)).toBe('text');
  expect(readIfExists(`${path}.not`)).toBeNull();
  expect(() => readIfExists(join(path, '..'))).toThrow('not a regular file');
});

test('a new file names its schema for editors', () => {
  const path = join(scratchFolder(), 'config.yaml');
  writeSetting(path, ['memory', 'on'], true);
  const [, schema = ''] = /^# yaml-language-server: \$schema=(.*)\n/.exec(readFileSync(path, 'utf8')) ?? [];
  expect(JSON.parse(readFileSync(schema, 'utf8')).properties).toHaveProperty('memory');
  expect(readConfig(path)).toMatchObject({ memory: { on: true } });
});

test('one setting can be changed without touching the rest of the file', () => {
  const path = configFile('# mine\nfailure: closed # on purpose\n');
  writeSetting(path, ['memory', 'on'], true);
  expect(readFileSync(path, 'utf8')).toBe('# mine\nfailure: closed # on purpose\nmemory:\n  on: true\n');
  expect(readConfig(path)).toMatchObject({ failure: 'closed', memory: { on: true } });
});

test('a setting under its former name counts, and is named', () => {
  expect(readConfig(configFile('rulesOff: [git/force-push]'))).toMatchObject({
    disabledRules: ['git/force-push'],
    former: ['rulesOff'],
  });
  expect(readConfig(configFile('disabledRules: [git/force-push]')).former).toEqual([]);
});

test('a setting under both names is an error', () => {
  const { message } = failureOf(configFile('rulesOff: [a]\ndisabledRules: [b]\n'));
  expect(message).toContain('rulesOff: is now disabledRules; keep only one of them');
});

test.each([
  'notify: {webhook: hooks.slack.com/services/T0/B0/s3cret}',
  'notify: {telegram: {botToken: {value: s3cret}, chatId: 1}}',
  'notify: {ntfy: {topic: s3cret, replyTopic: s3cret}}',
  'packs: s3cret',
  'failure: s3cret',
])('%j is reported without its value', (yaml) => {
  const { message } = failureOf(configFile(yaml));
  expect(message).toContain('config.yaml');
  expect(message).not.toContain('s3cret');
});
