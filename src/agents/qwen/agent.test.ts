import { testAgent } from '../testing/contract.ts';
import { jsonSettingsCases, testSetup } from '../testing/setup.ts';
import { extensionCases, testWrapper } from '../testing/wrapper.ts';
import qwen from './index.ts';
import { hooksPath } from './setup.ts';

testAgent(qwen, {
  fixtures: new URL('./fixtures/', import.meta.url),
  env: { QWEN_PROJECT_DIR: '/home/dev/shop' },
});

testSetup(qwen.setup, { ...jsonSettingsCases('PreToolUse'), settingsPath: hooksPath });

testWrapper(qwen.setup, { guard: 'PreToolUse', note: 'PostToolUse', ...extensionCases('.qwen') });
