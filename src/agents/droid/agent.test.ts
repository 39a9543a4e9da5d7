import { testAgent } from '../../../test/support/agents/contract.ts';
import { jsonSettingsCases, testSetup } from '../../../test/support/agents/setup.ts';
import droid from './index.ts';
import { hooksPath } from './setup.ts';

testAgent(droid, {
  fixtures: new URL('./fixtures/', import.meta.url),
  env: { DROID_PROJECT_DIR: '/home/dev/shop', CLAUDE_ENV_FILE: '/home/dev/.factory/temp/env/droid-env.sh' },
});

testSetup(droid.setup, {
  ...jsonSettingsCases('PreToolUse', { comments: true, root: [] }),
  settingsPath: hooksPath,
});
