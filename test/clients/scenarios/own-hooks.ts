import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { AGENTS } from '../../../src/agents/_registry.ts';
import { assertNoneFailed, loadHooks } from '../../../src/live/loaded-hooks.ts';
import { readProjectFiles } from '../../../src/live/project-files.ts';
import type { Client } from '../../../src/sandbox/client.ts';
import { describeFinished } from '../../../src/sandbox/process.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { Step } from '../../../src/sandbox/script.ts';
import { once } from '../once.ts';
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

/** The settings of a long-time user of Claude Code with that hook. */
async function withOldHook(sandbox: Sandbox): Promise<void> {
  await put(script(sandbox), DENY_RM);
  await chmod(script(sandbox), 0o755);
  const handler = { type: 'command', command: '~/.claude/hooks/deny-rm.js', timeout: 10 };
  const settings = { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [handler] }] } };
  await put(join(sandbox.home, '.claude', 'settings.json'), JSON.stringify(settings, null, 2));
}

// One file, since each needs a thread of its own. What a busy machine makes of time limits is not the subject.
const HOOKS = `
  import { existsSync } from 'node:fs';
  import { join } from 'node:path';
  import { context, defineHook, deny, rewrite } from 'hookline';

  interface Branch { readonly name: string }
  const branch: Branch = { name: 'fjord' };
  const timeoutMs = 60_000;
  const told = defineHook({
    on: 'turn_start',
    timeoutMs,
    async run(event, { session }) {
      return context(\`The branch is \${branch.name}, and \${session.agent} was told: \${event.prompt}\`);
    },
  });
  const rewritten = defineHook({
    on: 'before_tool',
    tool: 'Bash',
    timeoutMs,
    run: ({ tool }) => (tool.command.startsWith('touch') ? rewrite({ command: 'echo rewritten > written.txt' as string }) : null),
  });
  const gated = defineHook({
    on: 'turn_end',
    timeoutMs,
    run(event, { session }) {
      if (!existsSync(join(session.cwd ?? '', 'report.txt'))) return deny('Write report.txt before you stop.');
    },
  });
`;

/** What of it this client can do. */
interface Abilities {
  readonly rewrites: boolean;
  readonly gates: boolean;
}

function abilitiesOf(client: Client): Abilities {
  const supports = AGENTS.get(client.id)?.supports;
  const ends = [supports?.stop, supports?.after_agent];
  return {
    rewrites: supports?.before_tool?.rewrite?.level === 'native',
    gates: ends.some((end) => end?.deny?.level === 'native'),
  };
}

/** One turn that meets all of the hooks. */
function planOf(client: Client, { rewrites, gates }: Abilities) {
  const used = ['told', ...(rewrites ? ['rewritten'] : []), ...(gates ? ['gated'] : [])];
  const script: Step[] = [
    [client.shell('rm precious.txt')],
    ...(rewrites ? [[client.shell('touch original.txt')]] : []),
    'I am done.',
    ...(gates ? [[client.shell('echo all good > report.txt')], 'Now I really am.'] : []),
  ];
  const prepare = async (sandbox: Sandbox) => {
    await withOldHook(sandbox);
    await writeFile(join(sandbox.project, 'precious.txt'), 'mine\n');
    const text = `${HOOKS}export default [${used.join(', ')}];\n`;
    await put(join(sandbox.hooklineHome, 'hooks', 'own.ts'), text);
  };
  return { script, prepare };
}

async function playTurn(client: Client, abilities: Abilities) {
  return await play(client, planOf(client, abilities), async (scene) => {
    const { turn, hookline, model, sandbox } = scene;
    await loadHooks(scene);
    if (client.id !== 'claude') await hookline.run(['setup', 'claude', '--yes']);
    await hookline.run(['import', 'claude', '--yes']);
    const settings = await readFile(join(sandbox.home, '.claude', 'settings.json'), 'utf8');
    const finished = await turn('Good morning.', { trustShell: true });
    await assertNoneFailed(scene);
    const imported = await readFile(script(sandbox), 'utf8');
    const [files, events] = [await readProjectFiles(sandbox.project), await hookline.events()];
    return { finished, model, settings, imported, files, events };
  });
}

/** What hooks of the user's own do to a turn. The same files hold for every client. */
export function runsOwnHooks(client: Client): void {
  const it = testWith(client);
  const abilities = abilitiesOf(client);
  const itRewrites = testWith(client, abilities.rewrites);
  const itGates = testWith(client, abilities.gates);
  const played = once(() => playTurn(client, abilities));

  describe(`${client.id} and hooks of the user's own`, () => {
    it('a script for Claude Code denies after import, without changes', async () => {
      const { model, settings, imported, files, events } = await played();
      expect(settings).not.toContain('deny-rm');
      expect(model.results(1)).toEqual([
        expect.stringContaining('Blocked: files are moved to the bin, not removed.'),
      ]);
      expect(files['precious.txt']).toBe('mine\n');
      expect(imported).toBe(DENY_RM);
      const denied = events.find((event) => event.type === 'before_tool');
      expect(denied?.response.decision).toBe('deny');
    });

    itRewrites('a TypeScript hook rewrites: the other command runs', async () => {
      const { files } = await played();
      expect(files).not.toHaveProperty(['original.txt']);
      expect(files['written.txt']).toBe('rewritten\n');
    });

    it('a TypeScript hook adds context: the model reads it', async () => {
      const { model } = await played();
      expect(model.told(0)).toContain(`The branch is fjord, and ${client.id} was told: Good morning.`);
    });

    itGates('a TypeScript hook continues the turn until its condition holds', async () => {
      const { finished, model, events } = await played();
      expect(finished.stdout, describeFinished(finished)).toContain('Now I really am.');
      const refused = abilities.rewrites ? 3 : 2;
      expect(model.told(refused)).toContain('Write report.txt before you stop.');
      expect(model.told(refused - 1)).not.toContain('Write report.txt before you stop.');
      const ends = events.filter(({ type }) => ['stop', 'after_agent'].includes(type));
      expect(ends.map(({ response }) => response.decision)).toEqual(['deny', 'none']);
    });
  });
}
