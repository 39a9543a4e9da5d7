import { testAgent } from '../../../test/support/agents/contract.ts';
import { jsonSettingsCases, testSetup } from '../../../test/support/agents/setup.ts';
import newagent from './index.ts';
import { settingsPath } from './setup.ts';

testAgent(newagent, { fixtures: new URL('./fixtures/', import.meta.url) });

testSetup(newagent.setup, { ...jsonSettingsCases('BeforeTool'), settingsPath });
