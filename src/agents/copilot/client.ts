import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '../../sandbox/client.ts';
import { startChatServer } from '../../sandbox/models/chat-completions.ts';
import { patchToEdit } from '../kit/patch.ts';
import pin from './client.json' with { type: 'json' };
import contract from './contract.json' with { type: 'json' };

const client: Client = {
  id: 'copilot',
  pin,
  contract,
  // A permission request comes as well, also where every command is permitted (1.0.102).
  turnEvents: ['session_start', 'before_agent', 'before_tool', 'after_tool', 'stop', 'session_end'],
  startsTogether: true,
  prepare: async ({ home, cache }) => {
    // Its first start in a home unpacks some 200 MB: one copy serves them all.
    const unpacked = join(cache, 'copilot-unpacked');
    await mkdir(unpacked, { recursive: true });
    await mkdir(join(home, '.cache'), { recursive: true });
    await symlink(unpacked, join(home, '.cache', 'copilot'));
  },
  startModel: startChatServer,
  scripted: (model) => ({
    env: {
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      COPILOT_PROVIDER_BASE_URL: `${model.url}/v1`,
      COPILOT_PROVIDER_API_KEY: 'not-a-key',
      COPILOT_MODEL: 'gpt-5.4',
      NO_COLOR: '1',
      TERM: 'dumb',
    },
  }),
  trusting: ['--allow-all'],
  turn: (prompt, { trustShell, resume }) => [
    '-p',
    prompt,
    '--no-auto-update',
    '--no-color',
    ...(trustShell ? client.trusting : []),
    ...(resume ? ['--continue'] : []),
  ],
  shell: (command) => ({ tool: 'bash', input: { command, description: 'A step' } }),
  files: {
    read: (path) => ({ tool: 'view', input: { path } }),
    edit: (path, from, to) => ({ tool: 'apply_patch', input: { patch: `${patchToEdit(path, from, to)}\n` } }),
  },
};

export default client;
