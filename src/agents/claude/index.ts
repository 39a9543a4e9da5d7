import type { Agent } from '../agent.ts';
import { blindSpots } from './blind-spots.ts';
import { decode } from './decode.ts';
import { dialect } from './dialect.ts';
import { encode } from './encode.ts';
import { history } from './history.ts';
import { imports } from './imports.ts';
import { lint } from './lint.ts';
import { permissions } from './permissions-import.ts';
import { questions } from './questions.ts';
import { claudeSetup } from './setup.ts';
import { patienceMs } from './setup-events.ts';
import { supports } from './supports.ts';
import { retool, toolPayload } from './tools.ts';

const claude: Agent = {
  id: 'claude',
  label: 'Claude Code',
  testedVersion: '2.1.325',
  // Not CLAUDE_CODE_MESSAGING_TOKEN and its socket: secrets.
  envAllowList: [
    'CLAUDE_ENV_FILE',
    'CLAUDE_PROJECT_DIR',
    'CLAUDE_CODE_ENTRYPOINT',
    'CLAUDE_CODE_SESSION_ATTENDED',
    'AI_AGENT',
  ],
  settingsFiles: ['**/.claude/settings.json', '**/.claude/settings.local.json', '/etc/claude-code/**'],
  supports,
  blindSpots,
  decode,
  encode,
  retool,
  toolPayload,
  patienceMs,
  questions,
  history,
  setup: claudeSetup,
  dialect,
  permissions,
  imports,
  lint,
};

export default claude;
