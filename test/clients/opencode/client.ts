import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startChatServer } from '../chat-completions.ts';
import type { Client } from '../client.ts';
import { pinOf } from '../install.ts';
import type { ModelServer } from '../script.ts';

/** What the client, and those that are made from it, need to talk to a model on loopback and to nothing else. */
export function openCodeClient(names: { id: string; folder: string; envPrefix: string }): Client {
  const { id, folder, envPrefix } = names;
  const quiet = ['AUTOUPDATE', 'MODELS_FETCH', 'LSP_DOWNLOAD', 'DEFAULT_PLUGINS'];
  return {
    id,
    pin: pinOf(id),
    turnEvents: ['session_start', 'before_agent', 'before_tool', 'after_tool', 'stop', 'session_end'],
    // A prompt that is refused ends the run with a message that does not say why.
    tellsWhy: false,
    prepare: async ({ home, hooklineHome }) => {
      await mkdir(join(home, '.config', folder), { recursive: true });
      await writeFile(join(hooklineHome, 'config.yaml'), 'http: { port: 0 }\n');
    },
    startModel: startChatServer,
    environment: (model) => ({
      ...Object.fromEntries(quiet.map((name) => [`${envPrefix}_DISABLE_${name}`, '1'])),
      [`${envPrefix}_CONFIG_CONTENT`]: JSON.stringify(settings(model)),
      NO_COLOR: '1',
      TERM: 'dumb',
    }),
    turn: (prompt, { trustShell, resume }) => [
      'run',
      prompt,
      '-m',
      'scripted/scripted',
      ...(trustShell ? ['--auto'] : []),
      ...(resume ? ['--continue'] : []),
    ],
    shell: (command) => ({ tool: 'bash', input: { command, description: 'A step' } }),
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

export const opencode: Client = openCodeClient({ id: 'opencode', folder: 'opencode', envPrefix: 'OPENCODE' });
