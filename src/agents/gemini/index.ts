import type { Agent } from '../agent.ts';
import { blindSpots } from './blind-spots.ts';
import { decode } from './decode.ts';
import { dialect } from './dialect.ts';
import { encode } from './encode.ts';
import { history } from './history.ts';
import { imports } from './imports.ts';
import { lint } from './lint.ts';
import { permissions } from './permissions-import.ts';
import { geminiSetup } from './setup.ts';
import { patienceMs } from './setup-events.ts';
import { supports } from './supports.ts';
import { retool, toolPayload } from './tools.ts';

const gemini: Agent = {
  id: 'gemini',
  label: 'Gemini CLI',
  testedVersion: '0.61.0',
  envAllowList: ['GEMINI_PROJECT_DIR', 'GEMINI_PLANS_DIR', 'HOOKLINE_ATTENDED'],
  settingsFiles: [
    '**/.gemini/settings.json',
    '**/.gemini/extensions/**',
    '**/.gemini/trustedFolders.json',
    '/etc/gemini-cli/**',
  ],
  supports,
  blindSpots,
  decode,
  encode,
  retool,
  toolPayload,
  patienceMs,
  history,
  setup: geminiSetup,
  dialect,
  permissions,
  imports,
  lint,
};

export default gemini;
