import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { hasTmux, openTerminal, type Terminal } from '../../tui/terminal.ts';
import { areInstalled, play, type Scene } from '../scene.ts';
import { claude } from './client.ts';

/** What the client asks a person at its very first start, answered before. */
function settled(scene: Scene): Promise<void> {
  const { home, project } = scene.sandbox;
  const state = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: ['sk-ant-not-a-key'.slice(-20)], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  return writeFile(join(home, '.claude.json'), JSON.stringify(state));
}

async function withTerminal(
  scene: Scene,
  args: string,
  act: (terminal: Terminal) => Promise<void>,
): Promise<void> {
  await settled(scene);
  const { sandbox, model } = scene;
  const program = inject('programs').claude ?? '';
  const env = {
    ...claude.environment(model),
    PATH: `${dirname(program)}:${process.env.PATH}`,
    HOME: sandbox.home,
    HOOKLINE_HOME: sandbox.hooklineHome,
    LANG: 'C.UTF-8',
    NO_PROXY: '127.0.0.1,localhost',
  };
  const terminal = openTerminal(
    { columns: 120, rows: 50 },
    `cd ${sandbox.project} && ${program} ${args}`,
    env,
  );
  try {
    await act(terminal);
  } finally {
    terminal.close();
  }
}

async function card(scene: Scene): Promise<{ id: string; kind: string }> {
  for (const deadline = Date.now() + 60_000; ; await pause(100)) {
    const { stdout } = await scene.hookline.run(['approvals', '--json']);
    const [line] = stdout.split('\n');
    if (line) return JSON.parse(line);
    if (Date.now() > deadline) throw new Error('no card came up');
  }
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
