import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '../../sandbox/client.ts';
import { startChatServer } from '../../sandbox/models/chat-completions.ts';
import pin from './client.json' with { type: 'json' };
import contract from './contract.json' with { type: 'json' };

const PROVIDER = {
  api: 'openai-completions',
  apiKey: 'not-a-key',
  models: [{ id: 'scripted', contextWindow: 100_000, maxTokens: 8_000 }],
};

const client: Client = {
  id: 'pi',
  pin,
  contract,
  turnEvents: ['session_start', 'before_agent', 'before_tool', 'after_tool', 'stop', 'session_end'],
  // A prompt that is refused ends the run without a word.
  tellsWhy: false,
  prepare: async ({ home }, model) => {
    const folder = join(home, '.pi', 'agent');
    await mkdir(folder, { recursive: true });
    const providers = { scripted: { ...PROVIDER, baseUrl: `${model.url}/v1` } };
    await writeFile(join(folder, 'models.json'), JSON.stringify({ providers }));
  },
  startModel: startChatServer,
  scripted: () => ({
    env: { PI_OFFLINE: '1', PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1', TERM: 'dumb' },
    args: ['--model', 'scripted/scripted'],
  }),
  // It has no permission prompts.
  trusting: [],
  turn: (prompt, { resume }) => [...(resume ? ['--continue'] : []), '-p', prompt],
  shell: (command) => ({ tool: 'bash', input: { command } }),
  files: {
    read: (path) => ({ tool: 'read', input: { path } }),
    edit: (path, from, to) => ({ tool: 'edit', input: { path, edits: [{ oldText: from, newText: to }] } }),
  },
};

export default client;
