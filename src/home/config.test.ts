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
  ['failure: [', 'Flow sequence'],
  ['failure: maybe', 'failure: '],
  ['failur: closed', 'failur: unknown setting'],
  ['http: {port: 99999}', 'http.port: '],
  ['http: {port: "1"}', 'http.port: '],
  ['http: {prot: 1}', 'http.prot: '],
  ['- 1', 'unknown setting'],
])('%j is refused with the file and the place', (text, part) => {
  const path = configFile(text);
  const { code, message, hint } = failureOf(path);
  expect(code).toBe('CONFIG_INVALID');
  expect(message).toContain(`${path}: `);
  expect(message).toContain(part);
  expect(hint).toBeTruthy();
});

test('only a file that is not there is null', () => {
  const path = configFile('text');
  expect(readIfExists(path)).toBe('text');
  expect(readIfExists(`${path}.not`)).toBeNull();
  expect(() => readIfExists(join(path, '..'))).toThrow('not a regular file');
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
  expect(message).toContain('rulesOff: is called disabledRules now, and both are written here');
});
