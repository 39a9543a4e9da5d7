import { testOwnInstall } from '../scenarios/own-install.ts';
import { claude } from './client.ts';

testOwnInstall(claude, {
  commands: [
    ['plugin', 'marketplace', 'add', 'ROOT'],
    ['plugin', 'install', 'hookline@hookline'],
  ],
});
