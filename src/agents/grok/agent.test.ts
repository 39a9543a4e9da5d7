import { testAgent } from '../testing/contract.ts';
import { jsonSettingsCases, testSetup } from '../testing/setup.ts';
import grok from './index.ts';
import { hooksPath } from './setup.ts';

testAgent(grok, { fixtures: new URL('./fixtures/', import.meta.url) });

testSetup(grok.setup, { ...jsonSettingsCases('PreToolUse'), settingsPath: hooksPath });
