import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { testAgent } from '../../../test/support/agents/contract.ts';
import { shimMachine, testShimSetup } from '../../../test/support/agents/shim.ts';
import { coreFile } from '../kit/shim/core-file.ts';
import cline from './index.ts';
import { HOST } from './setup.ts';

testAgent(cline, { fixtures: new URL('./fixtures/', import.meta.url) });
testShimSetup(HOST);

test('finds settings that disable the plugin, and project plugins', () => {
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
])('%s of %j is one or more calls for foreign hooks, never none', (toolName, input, paths) => {
  const payload = { hook_event_name: 'beforeTool', session_id: 's', cwd: '/p', event: { toolName, input } };
  const event = cline.decode({ id: 'c', receivedAt: 1, event: null, payload, env: {} });
  if (event.type !== 'before_tool') throw new Error('no call');
  expect(cline.describe?.(event.tool).map((call) => call.input.file_path)).toEqual(paths);
});

test('detects a missing or changed core, and setup writes it again', () => {
  const { machine, context } = shimMachine();
  const before = machine.contents();
  machine.install(cline.setup, context);
  const core = coreFile(dirname(dirname(context.forwarder)), 'cline');
  const text = readFileSync(core, 'utf8');
  const found = () => cline.setup.inspect(context).filter(({ level }) => level === 'problem');
  expect(found()).toEqual([]);
  writeFileSync(core, 'exports.host = () => ({});');
  expect(found()).toEqual([expect.objectContaining({ code: 'changed-core', bySetup: true })]);
  rmSync(core);
  expect(found()).toEqual([expect.objectContaining({ code: 'core-missing', bySetup: true })]);
  machine.install(cline.setup, context);
  expect(readFileSync(core, 'utf8')).toBe(text);
  machine.remove(cline.setup, context);
  expect(machine.contents()).toEqual(before);
});

test('a complete plugin of an earlier Hookline is ours: setup replaces it, and removal deletes it', () => {
  const { machine, context } = shimMachine();
  const before = machine.contents();
  const path = HOST.path(context);
  const whole =
    '// Hookline 0.1.0 for cline, written by `hookline setup cline`. Do not edit.\nexport default {};\n';
  machine.write(path, whole);
  expect(cline.setup.planRemoval(context).map((edit) => edit.path)).toEqual([path]);
  machine.install(cline.setup, context);
  expect(readFileSync(path, 'utf8')).toContain('createRequire');
  machine.loseJournal();
  machine.remove(cline.setup, context);
  expect(Object.keys(machine.contents()).filter((name) => /hookline\.js|cline\.cjs/.test(name))).toEqual(
    Object.keys(before).filter((name) => /hookline\.js|cline\.cjs/.test(name)),
  );
});

test.each([
  [undefined, 'warning'],
  ['4000', 'warning'],
  ['100', 'warning'],
  ['soon', 'warning'],
  ['30000', 'ok'],
])('with %s ms to load our plugin, doctor says %s', (given, level) => {
  const { machine, context } = shimMachine();
  machine.install(cline.setup, context);
  const env = { ...context.env, ...(given === undefined ? {} : { CLINE_PLUGIN_IMPORT_TIMEOUT_MS: given }) };
  const findings = cline.setup.inspect({ ...context, env });
  expect(findings).toContainEqual(expect.objectContaining({ code: 'load-limit', level }));
});
