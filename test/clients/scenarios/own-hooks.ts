import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { AGENTS } from '../../../src/agents/_registry.ts';
import type { Client } from '../../../src/sandbox/client.ts';
import { describeFinished } from '../../../src/sandbox/process.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { play, testWith } from '../scene.ts';

/** A hook as people write them for one agent: JSON on stdin, exit code 2 and stderr to refuse. */
const DENY_RM = `#!/usr/bin/env node
let input = '';
process.stdin.on('data', (chunk) => { input += chunk; });
process.stdin.on('end', () => {
  const { tool_name, tool_input } = JSON.parse(input);
  if (tool_name !== 'Bash') process.exit(0);
  if (/\\brm\\b/.test(tool_input.command || '')) {
    console.error('Blocked: files are moved to the bin, not removed.');
    process.exit(2);
  }
  process.exit(0);
});
`;

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

function script(sandbox: Sandbox): string {
  return join(sandbox.home, '.claude', 'hooks', 'deny-rm.js');
}

/** The settings of somebody who has used Claude Code with that hook for a long time. */
async function withOldHook(sandbox: Sandbox): Promise<void> {
  await put(script(sandbox), DENY_RM);
  await chmod(script(sandbox), 0o755);
  const handler = { type: 'command', command: '~/.claude/hooks/deny-rm.js', timeout: 10 };
  const settings = { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [handler] }] } };
  await put(join(sandbox.home, '.claude', 'settings.json'), JSON.stringify(settings, null, 2));
}

const hookIn = (sandbox: Sandbox, name: string, text: string) =>
  put(join(sandbox.hooklineHome, 'hooks', name), text);

/** What hooks of the user's own do to a turn. The same files hold for every client. */
export function runsOwnHooks(client: Client): void {
  const it = testWith(client);
  const supports = AGENTS.get(client.id)?.supports;
  const itRewrites = testWith(client, supports?.before_tool?.rewrite?.level === 'native');
  const ends = [supports?.stop, supports?.after_agent];
  const itGates = testWith(
    client,
    ends.some((end) => end?.deny?.level === 'native'),
  );

  describe(`${client.id} and hooks of the user's own`, () => {
    it('a script for Claude Code, imported once and not touched, denies', async () => {
      const steps = [[client.shell('rm precious.txt')], 'Then not.'];
      await play(client, { script: steps, prepare: withOldHook }, async (scene) => {
        const { turn, hookline, model, sandbox } = scene;
        await writeFile(join(sandbox.project, 'precious.txt'), 'mine\n');
        if (client.id !== 'claude') await hookline.run(['setup', 'claude', '--yes']);
        await hookline.run(['import', 'claude', '--yes']);
        const settings = await readFile(join(sandbox.home, '.claude', 'settings.json'), 'utf8');
        expect(settings).not.toContain('deny-rm');

        await turn('Remove the file.', { trustShell: true });
        expect(model.results(1)).toEqual([
          expect.stringContaining('Blocked: files are moved to the bin, not removed.'),
        ]);
        expect(existsSync(join(sandbox.project, 'precious.txt'))).toBe(true);
        expect(await readFile(script(sandbox), 'utf8')).toBe(DENY_RM);
        const denied = (await hookline.events()).find((event) => event.type === 'before_tool');
        expect(denied?.response.decision).toBe('deny');
      });
    });

    itRewrites('a hook in TypeScript rewrites: the other command runs', async () => {
      const hook = `
        import { defineHook, rewrite } from 'hookline';
        export default defineHook({
          on: 'before_tool',
          tool: 'Bash',
          run: ({ tool }) => (tool.command.startsWith('touch') ? rewrite({ command: 'echo rewritten > written.txt' as string }) : null),
        });
      `;
      const prepare = (sandbox: Sandbox) => hookIn(sandbox, 'rewrite.ts', hook);
      const steps = [[client.shell('touch original.txt')], 'Done.'];
      await play(client, { script: steps, prepare }, async ({ turn, sandbox }) => {
        await turn('Make a file.', { trustShell: true });
        expect(existsSync(join(sandbox.project, 'original.txt'))).toBe(false);
        expect(await readFile(join(sandbox.project, 'written.txt'), 'utf8')).toBe('rewritten\n');
      });
    });

    it('a hook in TypeScript adds context: the model reads it', async () => {
      const hook = `
        import { context, defineHook } from 'hookline';
        interface Branch { readonly name: string }
        const branch: Branch = { name: 'fjord' };
        export default defineHook({
          on: 'turn_start',
          async run(event, { session }) {
            return context(\`The branch is \${branch.name}, and \${session.agent} was told: \${event.prompt}\`);
          },
        });
      `;
      const prepare = (sandbox: Sandbox) => hookIn(sandbox, 'context.ts', hook);
      await play(client, { script: ['Fine.'], prepare }, async ({ turn, model }) => {
        await turn('Good morning.');
        expect(model.told(0)).toContain(`The branch is fjord, and ${client.id} was told: Good morning.`);
      });
    });

    itGates('a hook in TypeScript does not let the turn end before its condition holds', async () => {
      const hook = `
        import { existsSync } from 'node:fs';
        import { join } from 'node:path';
        import { defineHook, deny } from 'hookline';
        export default defineHook({
          on: 'turn_end',
          run(event, { session }) {
            if (!existsSync(join(session.cwd ?? '', 'report.txt'))) return deny('Write report.txt before you stop.');
          },
        });
      `;
      const prepare = (sandbox: Sandbox) => hookIn(sandbox, 'gate.ts', hook);
      const steps = ['I am done.', [client.shell('echo all good > report.txt')], 'Now I really am.'];
      await play(client, { script: steps, prepare }, async ({ turn, hookline, model }) => {
        const finished = await turn('Work.', { trustShell: true });
        expect(finished.stdout, describeFinished(finished)).toContain('Now I really am.');
        expect(model.told(1)).toContain('Write report.txt before you stop.');
        const ends = (await hookline.events()).filter(({ type }) => ['stop', 'after_agent'].includes(type));
        expect(ends.map(({ response }) => response.decision)).toEqual(['deny', 'none']);
      });
    });
  });
}
