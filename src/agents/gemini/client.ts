import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '../../sandbox/client.ts';
import { startGenerateContentServer } from '../../sandbox/models/generate-content-server.ts';
import pin from './client.json' with { type: 'json' };
import contract from './contract.json' with { type: 'json' };

/** What the client needs to talk to a model on loopback, and to keep quiet otherwise. */
const SETTINGS = {
  // With a base URL in the environment and without this, it wants a login by a gateway that it then refuses.
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
};

const client: Client = {
  id: 'gemini',
  pin,
  contract,
  turnEvents: ['session_start', 'before_agent', 'before_tool', 'after_tool', 'after_agent', 'session_end'],
  prepare: async ({ home }) => {
    await mkdir(join(home, '.gemini'), { recursive: true });
    await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify(SETTINGS));
  },
  startModel: startGenerateContentServer,
  scripted: (model) => ({
    env: {
      GOOGLE_GEMINI_BASE_URL: model.url,
      GEMINI_API_KEY: 'not-a-key',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_CLI_NO_RELAUNCH: 'true',
      NO_COLOR: '1',
      TERM: 'dumb',
    },
    args: ['--model', 'gemini-2.5-flash'],
  }),
  trusting: ['--approval-mode', 'yolo'],
  turn: (prompt, { trustShell, resume, skipTrust }) => [
    '--prompt',
    prompt,
    '--output-format',
    'json',
    // Without it the client offers its model no shell at all in a headless run.
    ...(trustShell ? client.trusting : ['--approval-mode', 'default']),
    ...(skipTrust ? ['--skip-trust'] : []),
    ...(resume ? ['--resume', 'latest'] : []),
  ],
  shell: (command) => ({ tool: 'run_shell_command', input: { command, description: 'A step' } }),
  files: {
    read: (path) => ({ tool: 'read_file', input: { file_path: path } }),
    edit: (path, from, to) => ({
      tool: 'replace',
      input: { file_path: path, old_string: from, new_string: to, instruction: 'A step.' },
    }),
  },
};

export default client;
