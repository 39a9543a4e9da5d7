import { testAgent } from '../testing/contract.ts';
import claude from './index.ts';

testAgent(claude, {
  fixtures: new URL('./fixtures/', import.meta.url),
  env: { CLAUDE_ENV_FILE: '/home/dev/.claude/session-env/hook.sh' },
});
