import type { Client } from '../../sandbox/client.ts';
import { startMessagesServer } from '../../sandbox/models/messages-server.ts';
import pin from './client.json' with { type: 'json' };
import contract from './contract.json' with { type: 'json' };

const client: Client = {
  id: 'claude',
  pin,
  contract,
  turnEvents: ['session_start', 'before_agent', 'before_tool', 'after_tool', 'stop', 'session_end'],
  startModel: startMessagesServer,
  scripted: (model) => ({
    env: {
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'sk-ant-not-a-key',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_AUTOUPDATER: '1',
    },
  }),
  trusting: ['--allowedTools', 'Bash'],
  turn: (prompt, { trustShell, resume }) => [
    '-p',
    prompt,
    '--output-format',
    'json',
    '--permission-mode',
    'default',
    ...(resume ? ['--continue'] : []),
    ...(trustShell ? client.trusting : []),
  ],
  shell: (command) => ({ tool: 'Bash', input: { command, description: 'A step of the script' } }),
  files: {
    read: (path) => ({ tool: 'Read', input: { file_path: path } }),
    edit: (path, from, to) => ({
      tool: 'Edit',
      input: { file_path: path, old_string: from, new_string: to },
    }),
  },
};

export default client;
