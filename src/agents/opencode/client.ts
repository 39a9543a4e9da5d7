import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '../../sandbox/client.ts';
import { startChatServer } from '../../sandbox/models/chat-completions.ts';
import type { ModelServer } from '../../sandbox/script.ts';
import pin from './client.json' with { type: 'json' };
import contract from './contract.json' with { type: 'json' };

interface Names extends Pick<Client, 'id' | 'pin' | 'contract'> {
  readonly folder: string;
  readonly envPrefix: string;
}

/** What the client, and those that are made from it, need to talk to a model on loopback and to nothing else. */
export function openCodeClient(names: Names): Client {
  const { id, folder, envPrefix } = names;
  const quiet = ['AUTOUPDATE', 'MODELS_FETCH', 'LSP_DOWNLOAD', 'DEFAULT_PLUGINS'];
  return {
    id,
    pin: names.pin,
    contract: names.contract,
    turnEvents: ['session_start', 'before_agent', 'before_tool', 'after_tool', 'stop', 'session_end'],
    // A prompt that is refused ends the run with a message that does not say why.
    tellsWhy: false,
    prepare: async ({ home }) => {
      await mkdir(join(home, '.config', folder), { recursive: true });
    },
    startModel: startChatServer,
    scripted: (model) => ({
      env: {
        ...Object.fromEntries(quiet.map((name) => [`${envPrefix}_DISABLE_${name}`, '1'])),
        [`${envPrefix}_CONFIG_CONTENT`]: JSON.stringify(settings(model)),
        NO_COLOR: '1',
        TERM: 'dumb',
      },
      args: ['-m', 'scripted/scripted'],
    }),
    trusting: ['--auto'],
    turn: (prompt, { trustShell, resume }) => [
      'run',
      prompt,
      ...(trustShell ? ['--auto'] : []),
      ...(resume ? ['--continue'] : []),
    ],
    shell: (command) => ({ tool: 'bash', input: { command, description: 'A step' } }),
    files: {
      read: (filePath) => ({ tool: 'read', input: { filePath } }),
      edit: (filePath, oldString, newString) => ({ tool: 'edit', input: { filePath, oldString, newString } }),
    },
  };
}

function settings(model: ModelServer): object {
  return {
    autoupdate: false,
    share: 'disabled',
    model: 'scripted/scripted',
    small_model: 'scripted/scripted',
    permission: { bash: 'ask' },
    provider: {
      scripted: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${model.url}/v1`, apiKey: 'not-a-key' },
        models: { scripted: { limit: { context: 100_000, output: 8_000 } } },
      },
    },
  };
}

const client: Client = openCodeClient({
  id: 'opencode',
  pin,
  contract,
  folder: 'opencode',
  envPrefix: 'OPENCODE',
});

export default client;
