import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import claude from '../../../src/agents/claude/client.ts';
import type { Scene } from '../../../src/live/scene.ts';
import { hasTmux } from '../../programs.ts';
import { pendingApprovals } from '../pending.ts';
import { areInstalled, play } from '../scene.ts';
import { withTerminal } from './terminal.ts';

async function card({ sandbox }: Scene): Promise<{ id: string; kind: string }> {
  const [only] = await pendingApprovals(sandbox, 1);
  if (!only) throw new Error('no card came up');
  return only;
}

const holdAlways = ({ hooklineHome }: { readonly hooklineHome: string }) =>
  writeFile(join(hooklineHome, 'config.yaml'), 'approvals: {hold: always}\nhttp: {port: 0}\n');

const question = {
  tool: 'AskUserQuestion',
  input: {
    questions: [
      {
        question: 'Which database?',
        header: 'Database',
        options: [
          { label: 'SQLite', description: 'One file' },
          { label: 'Postgres', description: 'A server' },
        ],
        multiSelect: false,
      },
    ],
  },
};

test.skipIf(!hasTmux || !areInstalled(claude))(
  'a question of an interactive session is answered from Hookline',
  async () => {
    await play(claude, { script: [[question], 'Then SQLite.'], prepare: holdAlways }, async (scene) => {
      await withTerminal(scene, `'Choose a database.'`, async (terminal) => {
        const { id, kind } = await card(scene).catch((error: unknown) => {
          throw new Error(`${error}\n${terminal.screen()}`);
        });
        expect(kind).toBe('question');
        await scene.hookline.run(['approve', id, '--answers', '{"Which database?": "SQLite"}']);
        await terminal.shows('Then SQLite.');
        expect(scene.model.results(1)).toEqual([expect.stringContaining('"Which database?"="SQLite"')]);
      });
    });
  },
);

test.skipIf(!hasTmux || !areInstalled(claude))(
  'a plan of an interactive session is approved from Hookline',
  async () => {
    const script = [[{ tool: 'ExitPlanMode', input: {} }], 'Now I work.'];
    await play(claude, { script, prepare: holdAlways }, async (scene) => {
      await withTerminal(scene, `--permission-mode plan 'Make a plan.'`, async (terminal) => {
        const { id, kind } = await card(scene).catch((error: unknown) => {
          throw new Error(`${error}\n${terminal.screen()}`);
        });
        expect(kind).toBe('plan');
        await scene.hookline.run(['approve', id]);
        await terminal.shows('Now I work.');
        expect(scene.model.results(1)).toEqual([expect.stringContaining('approved')]);
      });
    });
  },
);
