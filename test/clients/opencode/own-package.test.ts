import { testOwnPackage } from '../scenarios/own-package.ts';
import { opencode } from './client.ts';
import { openCodePackage } from './package.ts';

testOwnPackage(opencode, openCodePackage('opencode', '@opencode-ai/plugin'));
