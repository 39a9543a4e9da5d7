import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import claude from '../../../src/agents/claude/client.ts';
import type { Scene } from '../../../src/live/scene.ts';
import { openTerminal, type Terminal } from '../../tui/terminal.ts';

/** What the client asks a person at its very first start, answered before. */
function settled({ home, project }: Scene['sandbox']): Promise<void> {
  const state = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: ['sk-ant-not-a-key'.slice(-20)], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  return writeFile(join(home, '.claude.json'), JSON.stringify(state));
}

/** A session in a terminal, as a person has it. */
export async function withTerminal(
  { sandbox, model }: Pick<Scene, 'sandbox' | 'model'>,
  args: string,
  act: (terminal: Terminal) => Promise<void>,
): Promise<void> {
  await settled(sandbox);
  const program = inject('programs').claude ?? '';
  const env = {
    ...claude.scripted(model).env,
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
