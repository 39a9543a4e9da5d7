import qwen from '../../../src/agents/qwen/client.ts';
import { testOwnInstall } from '../scenarios/own-install.ts';

testOwnInstall(qwen, { commands: [['extensions', 'install', 'ROOT/plugins/qwen', '--consent']] });
