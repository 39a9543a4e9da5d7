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

test.each([
  ['apply_patch', { input: '*** Begin Patch\n*** Add File: a\n+x\n*** End Patch' }, ['a']],
  ['apply_patch', { input: 'no patch' }, [undefined]],
  ['read_files', { files: [{ path: 'a' }, { path: 'b' }] }, ['a', 'b']],
  ['read_files', {}, [undefined]],
])('%s of %j is one call or several to hooks of others, and never none', (toolName, input, paths) => {
  const payload = { hook_event_name: 'beforeTool', session_id: 's', cwd: '/p', event: { toolName, input } };
  const event = cline.decode({ id: 'c', receivedAt: 1, event: null, payload, env: {} });
  if (event.type !== 'before_tool') throw new Error('no call');
  expect(cline.describe?.(event.tool).map((call) => call.input.file_path)).toEqual(paths);
});
