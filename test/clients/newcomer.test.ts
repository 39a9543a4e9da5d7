import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { AGENTS } from '../../src/agents/_registry.ts';
import claude from '../../src/agents/claude/client.ts';
import codex from '../../src/agents/codex/client.ts';
import copilot from '../../src/agents/copilot/client.ts';
import gemini from '../../src/agents/gemini/client.ts';
import type { Client } from '../../src/sandbox/client.ts';
import { turnOf } from '../../src/sandbox/client.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { closeBrowser, testInBrowser } from '../browser/chromium.ts';
import { firstFiveMinutes } from '../newcomer/newcomer.ts';
import { hasTmux } from '../programs.ts';
import { areInstalled, expectNoCalls, programOf } from './scene.ts';

afterAll(closeBrowser);

for (const client of [claude, gemini, codex, copilot]) {
  describe.skipIf(!areInstalled(client) || !hasTmux)(`a newcomer with ${client.id}`, () => {
    testInBrowser(
      'gets from a new machine to a denied call, its reason, and a page that shows it',
      () => withClient(client),
      240_000,
    );
  });
}

async function withClient(client: Client): Promise<void> {
  const sandbox = await openSandbox();
  const model = await client.startModel([[client.shell('npm publish')], 'The end.']);
  try {
    await client.prepare?.(sandbox, model);
    // Of Hookline there is nothing yet on a new machine.
    await rm(join(sandbox.hooklineHome, 'config.yaml'), { force: true });
    const turn = turnOf(client, 'Publish it.', { trustShell: true, skipTrust: true }, model);
    const agent = {
      id: client.id,
      label: AGENTS.get(client.id)?.label ?? '',
      program: programOf(client) ?? '',
      args: turn.args,
    };
    const env = { ...sandbox.env, ...turn.env };
    await firstFiveMinutes({ ...sandbox, env, agent });
    expect(model.results(1)).toEqual([expect.stringContaining('CI publishes, with its own token.')]);
    expectNoCalls(sandbox, [client]);
  } finally {
    await model.close();
    await sandbox.close();
  }
}
