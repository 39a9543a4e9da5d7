import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { pickEnv, readForwarderSettings } from './forwarder-settings.ts';

let scratch = '';

beforeEach(() => {
  scratch = scratchFolder();
});

describe('the settings', () => {
  test.each([
    ['{"node":"/n","script":"/s","env":["A",1,"B"]}', { node: '/n', script: '/s', env: ['A', 'B'] }],
    ['{"node":"/n","script":"/s"}', { node: '/n', script: '/s', env: [] }],
    ['{"node":"/n"}', null],
    ['{"node":1,"script":"/s"}', null],
    ['null', null],
    ['{', null],
  ])('%s', (text, expected) => {
    const file = join(scratch, 'bin', 'forwarder.json');
    mkdirSync(dirname(file));
    writeFileSync(file, text);
    expect(readForwarderSettings(scratch)).toEqual(expected);
  });

  test('may be missing', () => {
    expect(readForwarderSettings(scratch)).toBeNull();
  });
});

test('sends only listed variables that are set', () => {
  expect(pickEnv(['A', 'B', 'EMPTY'], { A: '1', C: '2', EMPTY: '' })).toEqual({ A: '1', EMPTY: '' });
});
