import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '../../sandbox/client.ts';
import { startChatServer } from '../../sandbox/models/chat-completions.ts';
import pin from './client.json' with { type: 'json' };
import contract from './contract.json' with { type: 'json' };

const client: Client = {
  id: 'grok',
  pin,
  contract,
  turnEvents: ['session_start', 'before_agent', 'before_tool', 'after_tool', 'stop', 'session_end'],
  startsTogether: true,
  // By a second Stop, whose hook it may not wait for (1.0.41).
  endsTwice: true,
  tellsWhy: false,
  // It asks there which models there are, whatever its settings say (1.0.41).
  callsHome: /^CONNECT api\.x\.ai:443$/,
  prepare: async ({ home }, model) => {
    await mkdir(join(home, '.grok'), { recursive: true });
    await writeFile(join(home, '.grok', 'config.toml'), settingsFor(model.url));
  },
  // After a turn it wants a line about it, and offers its tools for that, too (1.0.41).
  startModel: (script) => startChatServer(script, /dashboard line/),
  scripted: () => ({ env: { XAI_API_KEY: 'not-a-key', GROK_TELEMETRY: '0' }, args: ['-m', 'scripted'] }),
  trusting: ['--always-approve'],
  turn: (prompt, { trustShell, resume }) => [
    ...(resume ? ['-c'] : []),
    '-p',
    prompt,
    ...(trustShell ? client.trusting : []),
  ],
  shell: (command) => ({ tool: 'run_terminal_command', input: { command, description: 'A step' } }),
  files: {
    read: (path) => ({ tool: 'read_file', input: { target_file: path } }),
    edit: (path, from, to) => ({
      tool: 'search_replace',
      input: { file_path: path, old_string: from, new_string: to },
    }),
  },
};

function settingsFor(url: string): string {
  return `[models]
default = "scripted"
[model.scripted]
model = "scripted-model"
base_url = "${url}/v1"
name = "Scripted"
api_key = "not-a-key"
api_backend = "chat_completions"
context_window = 100000
[cli]
auto_update = false
`;
}

export default client;
