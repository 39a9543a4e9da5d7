import { testAgent } from '../../../test/support/agents/contract.ts';
import { jsonSettingsCases, testSetup } from '../../../test/support/agents/setup.ts';
import grok from './index.ts';
import { hooksPath } from './setup.ts';

testAgent(grok, { fixtures: new URL('./fixtures/', import.meta.url) });

testSetup(grok.setup, { ...jsonSettingsCases('PreToolUse'), settingsPath: hooksPath });
