import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '../../sandbox/client.ts';
import { startChatServer } from '../../sandbox/models/chat-completions.ts';
import type { ModelServer } from '../../sandbox/script.ts';
import pin from './client.json' with { type: 'json' };
import contract from './contract.json' with { type: 'json' };
import { LOAD_LIMIT } from './setup.ts';

const QUIET = { telemetryOptOut: true, autoUpdateEnabled: false };

/** What `cline auth` writes. */
function providers(model: ModelServer): object {
  const provider = 'openai-compatible';
  const settings = { provider, apiKey: 'not-a-key', model: 'scripted', baseUrl: `${model.url}/v1` };
  const saved = { settings, updatedAt: '2026-11-16T00:00:00.000Z', tokenSource: 'manual' };
  return { version: 1, lastUsedProvider: provider, modes: {}, providers: { [provider]: saved } };
}

const client: Client = {
  id: 'cline',
  pin,
  contract,
  turnEvents: ['session_start', 'before_agent', 'before_tool', 'after_tool', 'stop'],
  // A prompt that is refused ends the run without a word.
  tellsWhy: false,
  asksItself: true,
  resumes: false,
  // It looks for switches of its maker there, whatever is set (3.0.65).
  callsHome: /^CONNECT data\.cline\.bot:443$/,
  prepare: async ({ home }, model) => {
    const folder = join(home, '.cline', 'data', 'settings');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'global-settings.json'), JSON.stringify(QUIET));
    await writeFile(join(folder, 'providers.json'), JSON.stringify(providers(model)));
  },
  startModel: startChatServer,
  scripted: () => ({
    env: {
      // No daemon of its own stays behind.
      CLINE_SESSION_BACKEND_MODE: 'local',
      // A plugin that is late is left out in silence, and this machine may be busy.
      [LOAD_LIMIT.variable]: '60000',
      NO_COLOR: '1',
      TERM: 'dumb',
    },
  }),
  execEnv: { [LOAD_LIMIT.variable]: String(LOAD_LIMIT.wanted) },
  trusting: ['--auto-approve', 'true'],
  turn: (prompt, { trustShell }) => [
    '--json',
    ...(trustShell ? client.trusting : ['--auto-approve', 'false']),
    // It takes one word for a command.
    /\s/.test(prompt) ? prompt : `${prompt} Please.`,
  ],
  shell: (command) => ({ tool: 'run_commands', input: { commands: [command] } }),
  files: {
    read: (path) => ({ tool: 'read_files', input: { files: [{ path }] } }),
    edit: (path, from, to) => ({ tool: 'editor', input: { path, old_text: from, new_text: to } }),
  },
};

export default client;
