import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testAgent } from '../testing/contract.ts';
import { shimMachine, testShimSetup } from '../testing/shim.ts';
import cline from './index.ts';
import { HOST } from './setup.ts';

testAgent(cline, { fixtures: new URL('./fixtures/', import.meta.url) });
testShimSetup(HOST);

test('settings that disable the plugin, and plugins of a project, are found', () => {
  const { machine, context } = shimMachine();
  const codes = () => cline.setup.inspect(context).map(({ code }) => code);
  machine.install(cline.setup, context);
  expect(codes()).not.toEqual(expect.arrayContaining([expect.stringMatching(/disabled|project-plugins/)]));
  const settings = join(machine.home, '.cline', 'data', 'settings', 'global-settings.json');
  machine.write(settings, JSON.stringify({ disabledPlugins: [HOST.path(context)] }));
  machine.write(join(context.cwd, '.cline', 'plugins', 'theirs.js'), 'export default {};');
  expect(codes()).toEqual(expect.arrayContaining(['disabled', 'project-plugins']));
});
