import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import claude from '../../../src/agents/claude/client.ts';
import { turnOf } from '../../../src/sandbox/client.ts';
import { play, programOf, testWith } from '../scene.ts';

const it = testWith(claude);

it('claude: records what a run sends to hooks, without data of the machine', async () => {
  const script = [[claude.shell('echo one > one.txt')], 'Done.'];
  await play(claude, { script }, async ({ hookline, model, sandbox }) => {
    const { args, env } = turnOf(claude, 'Make a file.', { trustShell: true }, model);
    const command = [programOf(claude) ?? '', ...args];
    const { stdout } = await hookline.run(['record', 'claude', '--out', 'rec', '--json', '--', ...command], {
      env,
      deadlineMs: 100_000,
    });
    const folder = join(sandbox.project, 'rec');
    expect(JSON.parse(stdout)).toMatchObject({
      folder,
      exitCode: 0,
      events: { SessionStart: 1, UserPromptSubmit: 1, PreToolUse: 1, PostToolUse: 1, Stop: 1, SessionEnd: 1 },
    });
    const meta = JSON.parse(await readFile(join(folder, 'meta.json'), 'utf8'));
    expect(meta).toMatchObject({ clientVersion: claude.pin.version, agent: 'claude' });
    expect(meta.order.slice(0, 3)).toEqual([
      'SessionStart/plain',
      'UserPromptSubmit/plain',
      'PreToolUse/bash',
    ]);
    for (const name of meta.order) {
      const text = await readFile(join(folder, name, 'in.json'), 'utf8');
      expect(text, name).not.toContain(sandbox.home);
      expect(text, name).not.toContain(sandbox.project);
      expect(JSON.parse(text), name).toMatchObject({ cwd: '/home/dev/shop' });
    }
  });
});
