import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import codex from '../../../src/agents/codex/client.ts';
import agent from '../../../src/agents/codex/index.ts';
import type { HookResponse } from '../../../src/model/responses.ts';
import { turnOf } from '../../../src/sandbox/client.ts';
import { describeFinished } from '../../../src/sandbox/process.ts';
import { openSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts';
import { CANONICAL_RESPONSES } from '../../support/agents/canonical-responses.ts';
import { anyResponse } from '../../support/agents/properties.ts';
import { writeSettings } from './settings.ts';

/** What `exec` fires in one turn with one command. */
const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreModelRequest',
  'PostModelRequest',
  'PreToolUse',
  'PostToolUse',
  'Stop',
  'SessionEnd',
] as const;

// Always the same sample, so that a failure can be looked at again.
const SAMPLE = fc.sample(anyResponse, { numRuns: 30, seed: 166 });
const RESPONSES: [string, HookResponse][] = [
  ...Object.entries(CANONICAL_RESPONSES),
  ...SAMPLE.map((response, at): [string, HookResponse] => [`sample ${at}`, response]),
];

/** The hook says for each event what we would, without asking: the payload goes to a file, a file to stdout. */
async function writeHooks(sandbox: Sandbox, answers: string): Promise<void> {
  const hooks = EVENTS.map((event) => {
    const answer = `cat '${answers}/${event}' 2>/dev/null`;
    // Refused for ever, a turn would never end.
    const once = event === 'Stop' ? `grep -q '"stop_hook_active":true' || ` : 'cat >/dev/null; ';
    return [event, [{ hooks: [{ type: 'command', command: `${once}${answer}; exit 0`, timeout: 20 }] }]];
  });
  await writeSettings(sandbox, 'hooks.json', JSON.stringify({ hooks: Object.fromEntries(hooks) }));
}

async function writeAnswers(folder: string, response: HookResponse): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  for (const event of EVENTS) {
    const in_ = new URL(`../../../src/agents/codex/fixtures/${FIXTURES[event]}/in.json`, import.meta.url);
    const payload: unknown = JSON.parse(await readFile(in_, 'utf8'));
    const decoded = agent.decode({ id: event, receivedAt: 1, event, payload, env: {} });
    const { answer } = agent.encode(decoded, response, {});
    if (answer.action === 'json_output')
      await writeFile(join(folder, event), JSON.stringify(answer.stdout_json));
  }
}

const FIXTURES: Readonly<Record<(typeof EVENTS)[number], string>> = {
  SessionStart: 'SessionStart/startup',
  UserPromptSubmit: 'UserPromptSubmit/plain',
  PreModelRequest: 'PreModelRequest/plain',
  PostModelRequest: 'PostModelRequest/plain',
  PreToolUse: 'PreToolUse/bash',
  PostToolUse: 'PostToolUse/bash',
  Stop: 'Stop/plain',
  SessionEnd: 'SessionEnd/other',
};

const program = inject('programs').codex ?? null;

describe.skipIf(program === null)('codex accepts every answer', () => {
  test('and no answer fails a hook', { timeout: 300_000 }, async () => {
    const sandbox = await openSandbox();
    const answers = join(sandbox.home, 'answers');
    await writeSettings(sandbox, 'config.toml', 'sandbox_mode = "danger-full-access"\n');
    await writeHooks(sandbox, answers);
    try {
      for (const [name, response] of RESPONSES) {
        await writeAnswers(answers, response);
        const model = await codex.startModel([[codex.shell('touch ran.txt')], 'Done.', 'Done again.']);
        const { args, env } = turnOf(codex, 'Go.', {}, model);
        const finished = await sandbox.run(program ?? '', [...args, '--dangerously-bypass-hook-trust'], {
          env,
        });
        await model.close();
        const said = `${name} ${JSON.stringify(response)}\n${describeFinished(finished)}`;
        expect(finished.stderr, said).toContain('hook: SessionStart');
        expect(finished.stderr, said).not.toMatch(/hook: \w+ Failed/);
        if (response.decision === 'deny' || response.decision === 'ask')
          expect(existsSync(join(sandbox.project, 'ran.txt')), said).toBe(false);
        await rm(join(sandbox.project, 'ran.txt'), { force: true });
      }
      expect(sandbox.wanted).toEqual([]);
    } finally {
      await sandbox.close();
    }
  });

  test('and reports an invalid one, which proves the check', async () => {
    const sandbox = await openSandbox();
    const answers = join(sandbox.home, 'answers');
    await writeHooks(sandbox, answers);
    await mkdir(answers);
    await writeFile(
      join(answers, 'PreToolUse'),
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}',
    );
    const model = await codex.startModel([[codex.shell('true')], 'Done.']);
    const { args, env } = turnOf(codex, 'Go.', {}, model);
    const { stderr } = await sandbox.run(program ?? '', [...args, '--dangerously-bypass-hook-trust'], {
      env,
    });
    expect(stderr).toContain('hook: PreToolUse Failed');
    await model.close();
    await sandbox.close();
  });
});
