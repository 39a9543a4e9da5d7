import type { Agent } from '../agent.ts';
import { blindSpots } from './blind-spots.ts';
import { decode } from './decode.ts';
import { dialect } from './dialect.ts';
import { encode } from './encode.ts';
import { history } from './history.ts';
import { imports } from './imports.ts';
import { lint } from './lint.ts';
import { permissions } from './permissions-import.ts';
import { codexSetup } from './setup.ts';
import { patienceMs } from './setup-events.ts';
import { supports } from './supports.ts';
import { retool, toolPayload } from './tools.ts';

const codex: Agent = {
  id: 'codex',
  label: 'Codex',
  testedVersion: '0.166.0',
  // It sets no variables for hooks (0.166.0).
  envAllowList: [],
  settingsFiles: ['**/.codex/hooks.json', '**/.codex/config.toml', '**/.codex/rules/**', '/etc/codex/**'],
  supports,
  blindSpots,
  decode,
  encode,
  retool,
  toolPayload,
  patienceMs,
  history,
  setup: codexSetup,
  dialect,
  permissions,
  imports,
  lint,
  bridge: {
    summary: 'Run Codex with every approval going through Hookline.',
    load: async () => (await import('./app-server/launch.ts')).bridge,
  },
};

export default codex;
