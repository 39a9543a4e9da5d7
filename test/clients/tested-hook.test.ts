import { expect, test } from 'vitest';
import claude from '../../src/agents/claude/client.ts';
import codex from '../../src/agents/codex/client.ts';
import gemini from '../../src/agents/gemini/client.ts';
import { cacheFolder } from '../../src/sandbox/install.ts';
import { describeFinished, run } from '../../src/sandbox/process.ts';
import { copyExample } from '../example-package.ts';
import { areInstalled } from './scene.ts';

test.skipIf(!areInstalled(claude, gemini, codex))(
  'a package of its own tests its hook on three real clients, with hookline/testing and nothing else',
  async () => {
    const folder = copyExample('tested-hook');
    const finished = await run(process.execPath, ['--test', 'test/clients.test.js'], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', HOME: folder, HOOKLINE_CLIENTS_CACHE: cacheFolder() },
      deadlineMs: 110_000,
    });
    expect(finished.code, describeFinished(finished)).toBe(0);
    expect(finished.stdout).toMatch(/pass 3$/m);
  },
);
