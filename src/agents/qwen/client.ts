import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '../../sandbox/client.ts';
import { startChatServer } from '../../sandbox/models/chat-completions.ts';
import pin from './client.json' with { type: 'json' };
import contract from './contract.json' with { type: 'json' };

/** What the client needs to talk to a model on loopback, and to keep quiet otherwise. */
const SETTINGS = {
  security: { auth: { selectedType: 'openai' } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false },
  memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
};

const client: Client = {
  id: 'qwen',
  pin,
  contract,
  // With -p it sends no end of the session (0.24.4).
  turnEvents: [
    'session_start',
    'before_agent',
    'before_tool',
    'after_tool',
    'post_tool_batch',
    'before_model',
    'stop',
  ],
  // A prompt that is refused ends the run without a word.
  tellsWhy: false,
  prepare: async ({ home }) => {
    await mkdir(join(home, '.qwen'), { recursive: true });
    await writeFile(join(home, '.qwen', 'settings.json'), JSON.stringify(SETTINGS));
  },
  startModel: startChatServer,
  scripted: (model) => ({
    env: {
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_API_KEY: 'not-a-key',
      OPENAI_MODEL: 'scripted',
      QWEN_CODE_NO_RELAUNCH: 'true',
      NO_COLOR: '1',
      TERM: 'dumb',
    },
  }),
  trusting: ['--approval-mode', 'yolo'],
  turn: (prompt, { trustShell, resume }) => [
    '-p',
    prompt,
    ...(trustShell ? client.trusting : ['--approval-mode', 'default']),
    ...(resume ? ['--continue'] : []),
  ],
  shell: (command) => ({
    tool: 'run_shell_command',
    input: { command, description: 'A step', is_background: false },
  }),
  files: {
    absolute: true,
    read: (path) => ({ tool: 'read_file', input: { file_path: path } }),
    edit: (path, from, to) => ({
      tool: 'edit',
      input: { file_path: path, old_string: from, new_string: to },
    }),
  },
};

export default client;
