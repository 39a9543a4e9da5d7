import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startChatServer } from '../chat-completions.ts';
import type { Client } from '../client.ts';
import { pinOf } from '../install.ts';
import { talk } from './talk.ts';

export const droid: Client = {
  id: 'droid',
  pin: pinOf('droid'),
  turnEvents: ['session_start', 'before_agent', 'before_tool', 'after_tool', 'stop', 'session_end'],
  tellsFailure: false,
  prepare: async ({ home, hooklineHome }, model) => {
    await mkdir(join(home, '.factory'), { recursive: true });
    await writeFile(join(home, '.factory', 'settings.json'), settingsFor(model.url));
    await writeFile(join(hooklineHome, 'config.yaml'), 'http: { port: 0 }\n');
  },
  startModel: startChatServer,
  environment: () => ({
    FACTORY_AIRGAP_ENABLED: 'true',
    FACTORY_DROID_AUTO_UPDATE_ENABLED: 'false',
    FACTORY_DISABLE_KEYRING: 'true',
  }),
  turn: (prompt, { trustShell }) => [
    'exec',
    '-m',
    'custom:scripted',
    ...(trustShell ? ['--auto', 'high'] : []),
    prompt,
  ],
  talk,
  shell: (command) => ({
    tool: 'Execute',
    input: { command, summary: 'A step', riskLevel: 'low', riskLevelReason: 'scripted' },
  }),
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
