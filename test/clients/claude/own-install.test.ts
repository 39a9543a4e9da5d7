import claude from '../../../src/agents/claude/client.ts';
import { testOwnInstall } from '../scenarios/own-install.ts';

testOwnInstall(claude, {
  commands: [
    ['plugin', 'marketplace', 'add', 'ROOT'],
    ['plugin', 'install', 'hookline@hookline'],
  ],
});
