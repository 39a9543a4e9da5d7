import type { Client } from '../client.ts';
import { pinOf } from '../install.ts';
import { startMessagesServer } from './model-server.ts';

export const claude: Client = {
  id: 'claude',
  pin: pinOf('claude'),
  turnEvents: ['session_start', 'before_agent', 'before_tool', 'after_tool', 'stop', 'session_end'],
  startModel: startMessagesServer,
  environment: (model) => ({
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'sk-ant-not-a-key',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
  }),
  turn: (prompt, { trustShell, resume }) => [
    '-p',
    prompt,
    '--output-format',
    'json',
    '--permission-mode',
    'default',
    ...(resume ? ['--continue'] : []),
    ...(trustShell ? ['--allowedTools', 'Bash'] : []),
  ],
  shell: (command) => ({ tool: 'Bash', input: { command, description: 'A step of the script' } }),
};
