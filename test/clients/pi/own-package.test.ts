import pi from '../../../src/agents/pi/client.ts';
import { testOwnPackage } from '../scenarios/own-package.ts';

testOwnPackage(pi, {
  folder: '.pi/agent/npm/node_modules/hookline',
  settings: '.pi/agent/settings.json',
  file: '.pi/agent/extensions/hookline.js',
  named: { packages: ['npm:hookline'] },
});
