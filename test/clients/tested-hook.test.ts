import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import claude from '../../src/agents/claude/client.ts';
import codex from '../../src/agents/codex/client.ts';
import gemini from '../../src/agents/gemini/client.ts';
import { cacheFolder } from '../../src/sandbox/install.ts';
import { describeFinished, run } from '../../src/sandbox/process.ts';
import { copyExample, linkHookline } from '../example-package.ts';
import { scratchFolder } from '../support/scratch.ts';
import { areInstalled } from './scene.ts';

const testOnThree = test.skipIf(!areInstalled(claude, gemini, codex));

async function expectThreePass(folder: string, file: string): Promise<void> {
  const finished = await run(process.execPath, ['--test', file], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, HOOKLINE_CLIENTS_CACHE: cacheFolder() },
    deadlineMs: 110_000,
  });
  expect(finished.code, describeFinished(finished)).toBe(0);
  expect(finished.stdout).toMatch(/pass 3$/m);
}

testOnThree('a package tests its hook on three real clients with only hookline/testing', async () => {
  await expectThreePass(copyExample('tested-hook'), 'test/clients.test.js');
});

const KEEP_BUILD = `import { defineHook, deny } from 'hookline';

export default defineHook({
  on: 'before_tool',
  run: (event) => (event.tool.command.includes('build') ? deny('The build is kept.') : undefined),
});
`;

testOnThree('the test on docs/testing.md passes on the three clients that it names', async () => {
  const page = readFileSync(new URL('../../docs/testing.md', import.meta.url), 'utf8');
  const [, block = ''] = /```js\n([^`]*runClient[\s\S]*?)```/.exec(page) ?? [];
  const folder = scratchFolder();
  mkdirSync(join(folder, 'hooks'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(join(folder, 'hooks', 'keep-build.ts'), KEEP_BUILD);
  writeFileSync(join(folder, 'page.test.js'), block);
  linkHookline(folder);
  await expectThreePass(folder, 'page.test.js');
});
