import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '../../sandbox/client.ts';
import { startResponsesServer } from '../../sandbox/models/responses-server.ts';
import pin from './client.json' with { type: 'json' };
import contract from './contract.json' with { type: 'json' };

/** The user's settings before Hookline comes: without a newline at the end, and with a remark. */
export const OWN_CONFIG =
  '# Mine.\nsandbox_mode = "danger-full-access" # no cage\n\n[tui]\nnotifications = true';

const client: Client = {
  id: 'codex',
  pin,
  contract,
  turnEvents: [
    'session_start',
    'before_agent',
    'before_model',
    'after_model',
    'before_tool',
    'after_tool',
    'before_model',
    'after_model',
    'stop',
    'session_end',
  ],
  tellsOutcome: false,
  // `exec` says only that the prompt was blocked.
  tellsWhy: false,
  prepare: async ({ home }) => {
    await mkdir(join(home, '.codex'), { recursive: true });
    await writeFile(join(home, '.codex', 'config.toml'), OWN_CONFIG);
  },
  startModel: startResponsesServer,
  scripted: (model) => ({
    env: { NOT_A_KEY: 'not-a-key', NO_COLOR: '1', TERM: 'dumb' },
    args: settings(model.url).flatMap((setting) => ['-c', setting]),
  }),
  // Nothing is ever asked in `exec`, so that trusting the shell makes no difference.
  trusting: [],
  turn: (prompt, { resume }) => [
    'exec',
    ...(resume ? ['resume', '--last'] : []),
    '--skip-git-repo-check',
    prompt,
  ],
  shell: (command) => ({ tool: 'exec_command', input: { cmd: command } }),
  files: {
    // It has no tool to read a file: its model runs commands.
    read: (path) => ({ tool: 'exec_command', input: { cmd: `cat ${path}` } }),
    edit: (path, from, to) => ({
      tool: 'apply_patch',
      input: {
        patch: `*** Begin Patch\n*** Update File: ${path}\n@@\n-${from}\n+${to}\n*** End Patch`,
      },
    }),
  },
};

export default client;

/** Makes the client talk only to our model. */
export function settings(url: string): readonly string[] {
  const provider = [
    'name="Scripted"',
    `base_url="${url}/v1"`,
    'wire_api="responses"',
    'env_key="NOT_A_KEY"',
    'request_max_retries=0',
    'stream_max_retries=0',
  ];
  return [
    // The one known model with direct tools, apply_patch among them.
    'model="gpt-5.5"',
    'model_provider="scripted"',
    `model_providers.scripted={${provider.join(',')}}`,
    'check_for_update_on_startup=false',
    'analytics.enabled=false',
    'features.daemon_auto_start=false',
    // They would be fetched from their makers at every start.
    'features.plugins=false',
  ];
}
