import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '../client.ts';
import { pinOf } from '../install.ts';
import { startGeminiServer } from './model-server.ts';
import { writeSettings } from './settings.ts';

export const gemini: Client = {
  id: 'gemini',
  pin: pinOf('gemini'),
  turnEvents: ['session_start', 'before_agent', 'before_tool', 'after_tool', 'after_agent', 'session_end'],
  prepare: async (sandbox) => {
    await writeSettings(sandbox);
    await writeFile(join(sandbox.hooklineHome, 'config.yaml'), 'http: { port: 0 }\n');
  },
  startModel: startGeminiServer,
  environment: (model) => ({
    GOOGLE_GEMINI_BASE_URL: model.url,
    GEMINI_API_KEY: 'not-a-key',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_CLI_NO_RELAUNCH: 'true',
    NO_COLOR: '1',
    TERM: 'dumb',
  }),
  turn: (prompt, { trustShell, resume, skipTrust }) => [
    '--prompt',
    prompt,
    '--model',
    'gemini-2.5-flash',
    '--output-format',
    'json',
    '--approval-mode',
    // Without it the client offers its model no shell at all when nobody is there.
    trustShell ? 'yolo' : 'default',
    ...(skipTrust ? ['--skip-trust'] : []),
    ...(resume ? ['--resume', 'latest'] : []),
  ],
  shell: (command) => ({ tool: 'run_shell_command', input: { command, description: 'A step' } }),
};
