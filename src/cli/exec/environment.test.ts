import { expect, test } from 'vitest';
import cline from '../../agents/cline/client.ts';
import { RUN_VARIABLE } from '../../wire/run-id.ts';
import { environment } from './environment.ts';

test('an agent gets more time to load our plugin, unless the user says how much', () => {
  expect(environment({ PATH: '/bin' }, cline, 'r1')).toEqual({
    PATH: '/bin',
    CLINE_PLUGIN_IMPORT_TIMEOUT_MS: '30000',
    [RUN_VARIABLE]: 'r1',
  });
  const given = { CLINE_PLUGIN_IMPORT_TIMEOUT_MS: '9000' };
  expect(environment(given, cline, 'r1')).toMatchObject(given);
});

test('an agent gets neither the key of a script nor the word that a person is there', () => {
  const env = environment({ HOOKLINE_SCRIPT_KEY: 'k', HOOKLINE_ATTENDED: '1' }, {}, 'r1');
  expect(env).toEqual({ [RUN_VARIABLE]: 'r1' });
});
