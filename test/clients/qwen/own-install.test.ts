import { testOwnInstall } from '../scenarios/own-install.ts';
import { qwen } from './client.ts';

testOwnInstall(qwen, { commands: [['extensions', 'install', 'ROOT/plugins/qwen', '--consent']] });
