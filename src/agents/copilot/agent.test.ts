import { testAgent } from '../../../test/support/agents/contract.ts';
import { jsonSettingsCases, testSetup } from '../../../test/support/agents/setup.ts';
import type { NativeAnswer } from '../../model/native.ts';
import copilot from './index.ts';
import { hooksPath } from './setup.ts';

const NOTHING: NativeAnswer = { action: 'json_output', stdout_json: {} };

testAgent(copilot, {
  fixtures: new URL('./fixtures/', import.meta.url),
  env: { COPILOT_PROJECT_DIR: '/home/dev/shop' },
  // Every other end of a hook has a meaning of its own in this client.
  silence: () => NOTHING,
});

testSetup(copilot.setup, { ...jsonSettingsCases('PreToolUse'), settingsPath: hooksPath });
