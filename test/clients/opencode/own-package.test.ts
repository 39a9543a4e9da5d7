import opencode from '../../../src/agents/opencode/client.ts';
import { testOwnPackage } from '../scenarios/own-package.ts';
import { openCodePackage } from './package.ts';

testOwnPackage(opencode, openCodePackage('opencode', '@opencode-ai/plugin'));
