import { readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Hookline, hooklineIn } from '../../../src/live/hookline.ts';
import { openSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts';
import { bundle, execute, shell } from './sdk.ts';

const it = test.skipIf(bundle() === null);

const RULES = `
rules:
  - { id: no-touch, command: touch, deny: Files are made by hand here. }
  - { command: mkdir, ask: A person has to look at this. }
  - { command: date, rewrite: { command: echo rewritten } }
  - { command: echo, context: Echoes are counted here. }
  - { on: turn_start, when: 'event.prompt.contains("Sunday")', deny: No work on Sundays. }
  - { on: turn_end, deny: The tests have not run yet. }
`;

/** A machine with these agents set up, and the executor that reads their settings. */
async function withAgents(
  agents: readonly (readonly string[])[],
  act: (scene: { readonly sandbox: Sandbox; readonly hookline: Hookline }) => Promise<void>,
  config = '',
): Promise<void> {
  const sandbox = await openSandbox();
  const path = { PATH: [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter) };
  const hookline = hooklineIn(sandbox, path);
  try {
    await writeFile(join(sandbox.hooklineHome, 'config.yaml'), `http: { port: 0 }\n${config}`);
    await hookline.writeRules(RULES);
    for (const words of agents) await hookline.run(['setup', ...words, '--yes']);
    await hookline.run(['up']);
    await act({ sandbox, hookline });
    expect(sandbox.wanted, 'hosts other than loopback').toEqual([]);
  } finally {
    await hookline.end().catch(() => {});
    await sandbox.close();
  }
}

const denied = (reason: string) => ({ permission: 'deny', user_message: expect.stringContaining(reason) });
const NO_OPINION = {};

describe("cursor's executor", () => {
  it('obeys deny, ask as a denial, rewrite, context, a denied prompt and a continued turn', async () => {
    await withAgents([['cursor']], async ({ sandbox, hookline }) => {
      const stop = (loops: number) => ['stop', { status: 'completed', loop_count: loops }] as const;
      const results = await execute(sandbox, [
        ['sessionStart', { is_background_agent: false, composer_mode: 'agent' }],
        ['beforeSubmitPrompt', { prompt: 'Good morning.', attachments: [] }],
        shell('touch forbidden.txt'),
        shell('mkdir folder'),
        shell('date'),
        shell('echo hi'),
        shell('ls'),
        ['beforeSubmitPrompt', { prompt: 'Work on Sunday.', attachments: [] }],
        stop(0),
        stop(1),
      ]);
      expect(results).toEqual([
        NO_OPINION,
        NO_OPINION,
        expect.objectContaining(denied('Files are made by hand here.')),
        expect.objectContaining(denied('A person has to look at this.')),
        { updated_input: { command: 'echo rewritten' } },
        { additional_context: expect.stringContaining('Echoes are counted here.') },
        NO_OPINION,
        { continue: false, user_message: expect.stringContaining('No work on Sundays.') },
        { followup_message: expect.stringContaining('The tests have not run yet.') },
        NO_OPINION,
      ]);
      const events = await hookline.events();
      expect(events.map(({ type }) => type)).toEqual([
        'session_start',
        'before_agent',
        ...Array<string>(5).fill('before_tool'),
        'before_agent',
        'stop',
        'stop',
      ]);
      expect(new Set(events.map(({ source }) => source))).toEqual(new Set(['cursor']));
      expect(events[2]?.tool).toMatchObject({ name: 'Bash', input: { command: 'touch forbidden.txt' } });
    });
  });

  it('stays guarded without the daemon, and without a forwarder if failures are closed', async () => {
    await withAgents(
      [['cursor']],
      async ({ sandbox, hookline }) => {
        await hookline.run(['down']);
        expect(await execute(sandbox, [shell('touch forbidden.txt'), shell('ls')])).toEqual([
          expect.objectContaining(denied('Files are made by hand here.')),
          NO_OPINION,
        ]);
        await rm(join(sandbox.hooklineHome, 'bin'), { recursive: true });
        expect(await execute(sandbox, [shell('ls')])).toEqual([
          expect.objectContaining(denied('fail closed')),
        ]);
      },
      'failure: closed\n',
    );
  });

  it("also calls hooks in Claude Code's settings, which answer in its format", async () => {
    await withAgents([['claude', '--scope', 'project']], async ({ sandbox, hookline }) => {
      const path = join(sandbox.project, '.claude', 'settings.json');
      const settings = JSON.parse(await readFile(path, 'utf8'));
      // As they are set up they have no matcher on tools, without which it drops the whole file.
      expect(await execute(sandbox, [shell('touch forbidden.txt')])).toEqual([null]);
      expect(await hookline.events()).toEqual([]);
      for (const event of ['PreToolUse', 'PostToolUse'])
        for (const group of settings.hooks[event]) group.matcher = '*';
      await writeFile(path, JSON.stringify(settings));
      const results = await execute(sandbox, [shell('touch forbidden.txt'), shell('ls')]);
      expect(results).toEqual([expect.objectContaining(denied('Files are made by hand here.')), NO_OPINION]);
      const events = await hookline.events();
      expect(events.map(({ source, type }) => [source, type])).toEqual([
        ['cursor', 'before_tool'],
        ['cursor', 'before_tool'],
      ]);
    });
  });
});
