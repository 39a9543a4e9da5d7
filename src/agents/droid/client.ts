import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '../../sandbox/client.ts';
import { startChatServer } from '../../sandbox/models/chat-completions.ts';
import pin from './client.json' with { type: 'json' };
import contract from './contract.json' with { type: 'json' };
import { talk } from './talk.ts';

const client: Client = {
  id: 'droid',
  pin,
  contract,
  turnEvents: ['session_start', 'before_agent', 'before_tool', 'after_tool', 'stop', 'session_end'],
  tellsFailure: false,
  // `droid exec` asks no hook about the prompt (0.225.2).
  promptUnseen: true,
  prepare: async ({ home }, model) => {
    await mkdir(join(home, '.factory'), { recursive: true });
    await writeFile(join(home, '.factory', 'settings.json'), settingsFor(model.url));
  },
  startModel: startChatServer,
  scripted: () => ({
    env: {
      FACTORY_AIRGAP_ENABLED: 'true',
      FACTORY_DROID_AUTO_UPDATE_ENABLED: 'false',
      FACTORY_DISABLE_KEYRING: 'true',
    },
    args: ['-m', 'custom:scripted'],
  }),
  trusting: ['--auto', 'high'],
  turn: (prompt, { trustShell }) => ['exec', ...(trustShell ? client.trusting : []), prompt],
  talk,
  shell: (command) => ({
    tool: 'Execute',
    input: { command, summary: 'A step', riskLevel: 'low', riskLevelReason: 'scripted' },
  }),
  files: {
    absolute: true,
    read: (path) => ({ tool: 'Read', input: { file_path: path } }),
    edit: (path, from, to) => ({ tool: 'Edit', input: { file_path: path, old_str: from, new_str: to } }),
  },
};

function settingsFor(url: string): string {
  const model = {
    model: 'scripted',
    displayName: 'Scripted',
    baseUrl: `${url}/v1`,
    apiKey: 'not-a-key',
    provider: 'generic-chat-completion-api',
    maxOutputTokens: 4096,
  };
  return JSON.stringify({ customModels: [model], cloudSessionSync: false, enableDroidShield: false });
}

export default client;
