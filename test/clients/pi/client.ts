import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startChatServer } from '../chat-completions.ts';
import type { Client } from '../client.ts';
import { pinOf } from '../install.ts';

const PROVIDER = {
  api: 'openai-completions',
  apiKey: 'not-a-key',
  models: [{ id: 'scripted', contextWindow: 100_000, maxTokens: 8_000 }],
};

export const pi: Client = {
  id: 'pi',
  pin: pinOf('pi'),
  turnEvents: ['session_start', 'before_agent', 'before_tool', 'after_tool', 'stop', 'session_end'],
  // A prompt that is refused ends the run without a word.
  tellsWhy: false,
  prepare: async ({ home, hooklineHome }, model) => {
    const folder = join(home, '.pi', 'agent');
    await mkdir(folder, { recursive: true });
    const providers = { scripted: { ...PROVIDER, baseUrl: `${model.url}/v1` } };
    await writeFile(join(folder, 'models.json'), JSON.stringify({ providers }));
    await writeFile(join(hooklineHome, 'config.yaml'), 'http: { port: 0 }\n');
  },
  startModel: startChatServer,
  environment: () => ({ PI_OFFLINE: '1', PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1', TERM: 'dumb' }),
  turn: (prompt, { resume }) => [
    '--model',
    'scripted/scripted',
    ...(resume ? ['--continue'] : []),
    '-p',
    prompt,
  ],
  shell: (command) => ({ tool: 'bash', input: { command } }),
};
