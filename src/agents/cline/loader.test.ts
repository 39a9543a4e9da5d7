import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { coreFile } from '../kit/shim/core-file.ts';
import { coreText, shimText } from '../kit/shim/file.ts';
import { shimSettings } from '../kit/shim/settings.ts';
import type { Plugin } from './api.ts';
import { load } from './loader.ts';
import { HOST } from './setup.ts';

function settingsIn(home: string, failClosed: boolean) {
  return shimSettings(HOST, { home, forwarder: join(home, 'bin', 'hookline-forward'), failClosed });
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const call = { snapshot: {}, toolCall: { toolCallId: 'c', toolName: 'run_commands', input: {} } };

test('setup writes a small loader for Cline, which loads the plugin from the home', async () => {
  const home = scratchFolder();
  write(coreFile(home, 'cline'), coreText('cline'));
  const file = join(home, 'hookline.mjs');
  const text = shimText(settingsIn(home, true));
  // The core has ten times as much.
  expect(text.length).toBeLessThan(coreText('cline').length / 8);
  write(file, text);
  const { default: plugin }: { default: Plugin } = await import(pathToFileURL(file).href);
  expect(plugin.name).toBe('hookline');
  expect(Object.keys(plugin.hooks)).toEqual(['beforeRun', 'beforeTool', 'afterTool', 'afterRun']);
});

test.each([
  ['missing', null],
  ['broken', 'module.exports = {'],
  ['something else', 'exports.host = null;'],
])('with a core that is %s, denies calls in failure mode closed', async (_, text) => {
  const home = scratchFolder();
  if (text !== null) write(coreFile(home, 'cline'), text);
  const closed = load(settingsIn(home, true)).hooks;
  expect(await closed.beforeTool?.(call)).toEqual({
    skip: true,
    reason: expect.stringContaining('fail closed'),
  });
  expect(await closed.beforeRun?.(call)).toEqual({
    stop: true,
    reason: expect.stringContaining('fail closed'),
  });
  const open = load(settingsIn(home, false)).hooks;
  expect(await open.beforeTool?.(call)).toBeUndefined();
  expect(await open.beforeRun?.(call)).toBeUndefined();
});

test("the home's failure mode counts more than the one at setup", async () => {
  const home = scratchFolder();
  const { beforeTool } = load(settingsIn(home, false)).hooks;
  write(join(home, 'bin', 'fail-closed.json'), '{"failure":"closed"}');
  expect(await beforeTool?.(call)).toMatchObject({ skip: true });
  write(join(home, 'bin', 'forwarder.json'), '{"failure":"open"}');
  expect(await beforeTool?.(call)).toBeUndefined();
});
