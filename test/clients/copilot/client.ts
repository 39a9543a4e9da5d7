import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { startChatServer } from '../chat-completions.ts';
import type { Client } from '../client.ts';
import { pinOf } from '../install.ts';

export const copilot: Client = {
  id: 'copilot',
  pin: pinOf('copilot'),
  // A permission request comes as well, also where every command is permitted (1.0.102).
  turnEvents: ['session_start', 'before_agent', 'before_tool', 'after_tool', 'stop', 'session_end'],
  startsTogether: true,
  prepare: async ({ home, hooklineHome }) => {
    await writeFile(join(hooklineHome, 'config.yaml'), 'http: { port: 0 }\n');
    // Its first start in a home unpacks some 200 MB: one copy, beside the program, serves them all.
    const unpacked = join(dirname(inject('programs').copilot ?? ''), 'unpacked');
    await mkdir(unpacked, { recursive: true });
    await mkdir(join(home, '.cache'), { recursive: true });
    await symlink(unpacked, join(home, '.cache', 'copilot'));
  },
  startModel: startChatServer,
  environment: (model) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_PROVIDER_BASE_URL: `${model.url}/v1`,
    COPILOT_PROVIDER_API_KEY: 'not-a-key',
    COPILOT_MODEL: 'gpt-5.4',
    NO_COLOR: '1',
    TERM: 'dumb',
  }),
  turn: (prompt, { trustShell, resume }) => [
    '-p',
    prompt,
    '--no-auto-update',
    '--no-color',
    ...(trustShell ? ['--allow-all'] : []),
    ...(resume ? ['--continue'] : []),
  ],
  shell: (command) => ({ tool: 'bash', input: { command, description: 'A step' } }),
};
