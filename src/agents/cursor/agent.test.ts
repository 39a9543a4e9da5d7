import { testAgent } from '../../../test/support/agents/contract.ts';
import { jsonSettingsCases, testSetup } from '../../../test/support/agents/setup.ts';
import cursor from './index.ts';
import { hooksPath } from './setup.ts';

testAgent(cursor, {
  fixtures: new URL('./fixtures/', import.meta.url),
  silence: () => ({ action: 'json_output', stdout_json: {} }),
});

testSetup(cursor.setup, { ...jsonSettingsCases('preToolUse', { flat: true }), settingsPath: hooksPath });
