import { testAgent } from '../testing/contract.ts';
import { jsonSettingsCases, testSetup } from '../testing/setup.ts';
import newagent from './index.ts';
import { settingsPath } from './setup.ts';

testAgent(newagent, { fixtures: new URL('./fixtures/', import.meta.url) });

testSetup(newagent.setup, { ...jsonSettingsCases('BeforeTool'), settingsPath });
