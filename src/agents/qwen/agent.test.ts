import { testAgent } from '../../../test/support/agents/contract.ts';
import { jsonSettingsCases, testSetup } from '../../../test/support/agents/setup.ts';
import { extensionCases, testWrapper } from '../../../test/support/agents/wrapper.ts';
import qwen from './index.ts';
import { hooksPath } from './setup.ts';

testAgent(qwen, {
  fixtures: new URL('./fixtures/', import.meta.url),
  env: { QWEN_PROJECT_DIR: '/home/dev/shop' },
});

testSetup(qwen.setup, { ...jsonSettingsCases('PreToolUse'), settingsPath: hooksPath });

testWrapper(qwen.setup, { guard: 'PreToolUse', note: 'PostToolUse', ...extensionCases('.qwen') });
